import type { Decision } from "@/contracts/decisions/decision";
import type { Refusal } from "@/contracts/guard/refusals";
import type { AnalyzedCall } from "../call/analyzed-call";
import { excerpt } from "../excerpt";
import { computeDigest } from "../matching/compile-rule";
import { earlierRefusalStep } from "./earlier-refusal-step";
import { findRepeatedRefusals, type RepeatedRefusal } from "./repeated-refusal";

type UnversionedDecision = Omit<Decision, "policyVersion" | "policyFile">;

/**
 * Asks about a call that repeats something refused in this conversation, and names the oldest refusal. A denial stays a
 * denial. The trace lists every refusal that the call repeats, because an approval of the call lifts all of them.
 */
export function applyEarlierRefusal(judgement: UnversionedDecision, call: AnalyzedCall): UnversionedDecision {
  const { refusals } = call.context;
  if (!refusals || refusals.length === 0) return judgement;
  const repeated = findRepeatedRefusals(refusals, call);
  const [found] = repeated;
  if (!found) return judgement;
  const steps = repeated.map((one) => ({
    ruleId: one.refusal.callId,
    ruleName: earlierRefusalStep,
    result: "matched" as const,
    why: sentenceOf(one, call),
  }));
  const why = sentenceOf(found, call);
  const told = { ...judgement, reason: `${judgement.reason} ${why}`, trace: [...judgement.trace, ...steps] };
  if (judgement.verdict !== "allow") return told;
  const { grantId, ...asked } = told;
  // The digest depends only on the refusal, so that an approval still holds when the call is decided again.
  return { ...asked, verdict: "require_approval", reason: why, ruleId: null, ruleDigest: computeDigest({ refusal: found.refusal.callId }) };
}

function sentenceOf({ refusal, effect }: RepeatedRefusal, { tool }: AnalyzedCall): string {
  const what = `${refusal.tool}${reasonOf(refusal)}`;
  const before = `${refusal.by === "person" ? `A person refused ${what}` : `Nobody approved ${what} in time`} earlier in this conversation`;
  if (!effect) return `${before}, and this is the same call again.`;
  const does = { read: "reads", change: "changes", reach: "reaches" }[effect.act];
  return `${before}, and this call of ${tool.name} ${does} the same: ${excerpt(effect.target)}.`;
}

function reasonOf({ reason }: Refusal): string {
  return reason ? ` ("${excerpt(reason)}")` : "";
}
