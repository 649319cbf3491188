import { expect, test } from "vitest";
import type { Verdict } from "@/contracts/decisions/decision";
import type { RulePreview } from "@/contracts/guard/guard";
import { summarizePreview } from "./summarize-preview";

const call = (before: Verdict, after: Verdict): RulePreview["calls"][number] => ({
  callId: "01890000-0000-7000-8000-000000000000",
  tool: "shell_execute",
  at: "2026-01-01T00:00:00.000Z",
  seen: "ls",
  result: "matched",
  why: "",
  before,
  after,
});

test("the verdicts that would change are counted, the most frequent first", () => {
  const calls = [call("allow", "deny"), call("require_approval", "allow"), call("require_approval", "allow"), call("deny", "deny")];
  expect(summarizePreview({ calls, examined: 4 })).toEqual({
    changed: 3,
    sentence: "Would change 3 of the last 4 calls: 2 Ask to Allow, 1 Allow to Deny.",
  });
});

test("a rule that changes nothing says so", () => {
  expect(summarizePreview({ calls: [call("allow", "allow")], examined: 1 })).toEqual({
    changed: 0,
    sentence: "Would change nothing about the last call.",
  });
});
