import type { TraceStep } from "@/contracts/decisions/decision";
import type { AnalyzedCall } from "./call/analyzed-call";
import type { Detected } from "./detectors/detect";
import type { CompiledRule } from "./matching/compile-rule";
import { evaluateRule } from "./matching/evaluate-rule";

/**
 * Relaxes the findings of a call that a rule decides: findings of detectors that the rule relaxes become notes, and
 * each such detector adds a step to the trace. A rule that asks relaxes only when it would also match as an allow rule,
 * which has to cover every part of a command. A failed detector is never relaxed.
 * @param now milliseconds since 1970
 */
export function relaxFindings(
  rule: CompiledRule,
  { findings, failed }: Detected,
  call: AnalyzedCall,
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

function coversAll(rule: CompiledRule, call: AnalyzedCall, now: number): boolean {
  if (rule.verdict === "allow") return true;
  return rule.verdict === "require_approval" && evaluateRule({ ...rule, verdict: "allow" }, call, now).result === "matched";
}
