import { expect, test } from "vitest";
import type { TraceStep } from "@/contracts/decisions/decision";
import { notEvaluated } from "./not-evaluated";

const step = (ruleId: string, result: TraceStep["result"]): TraceStep => ({
  ruleId,
  ruleName: `Rule ${ruleId}`,
  result,
  why: `Why ${ruleId}.`,
});

test("the audit of a decision names the rules that could not be evaluated, each with why", () => {
  const trace = [step("a", "not_matched"), step("b", "could_not_evaluate"), step("c", "could_not_evaluate"), step("d", "matched")];
  expect(notEvaluated({ trace })).toEqual({
    couldNotEvaluate: [
      { ruleId: "b", ruleName: "Rule b", why: "Why b." },
      { ruleId: "c", ruleName: "Rule c", why: "Why c." },
    ],
  });
});

test("where every rule could be evaluated, or nothing was decided, there is nothing to name", () => {
  expect(notEvaluated({ trace: [step("a", "not_matched"), step("b", "matched")] })).toEqual({});
  expect(notEvaluated({ trace: [] })).toEqual({});
  expect(notEvaluated(null)).toEqual({});
});
