import type { TraceStep } from "@/contracts/decision";
import type { CallOnTrial } from "./call-on-trial";
import type { CompiledRule } from "./compile-policy";
import type { Detected } from "./detectors/detect";
import { tryRule } from "./matching/try-rule";

/**
 * What was found in a call that a rule decides: findings of detectors that the rule relaxes are noted and decide nothing
 * any more, each with a step of the trace that says so. A rule that asks relaxes only where it would match as one that
 * allows does, a command in every part; and what could not look stays as it is.
 * @param now milliseconds since 1970
 */
export function relaxFindings(
  rule: CompiledRule,
  { findings, failed }: Detected,
  call: CallOnTrial,
  now: number,
): Detected & { steps: readonly TraceStep[] } {
  const relaxed = rule.relaxes.filter(
    ({ id }) =>
      findings.some(({ detector, verdict }) => detector === id && verdict !== "allow") && !failed.some(({ ruleId }) => ruleId === id),
  );
  if (relaxed.length === 0 || !coversAll(rule, call, now)) return { findings, failed, steps: [] };
  const ids = new Set(relaxed.map(({ id }) => id));
  return {
    findings: findings.map((finding) => (ids.has(finding.detector) ? { ...finding, verdict: "allow", relaxedBy: rule.id } : finding)),
    failed,
    steps: relaxed.map(({ id, title }) => ({
      ruleId: id,
      ruleName: title,
      result: "matched",
      why: `The rule "${rule.name}" relaxes it for this call.`,
    })),
  };
}

function coversAll(rule: CompiledRule, call: CallOnTrial, now: number): boolean {
  if (rule.verdict === "allow") return true;
  return rule.verdict === "require_approval" && tryRule({ ...rule, verdict: "allow" }, call, now).result === "matched";
}
