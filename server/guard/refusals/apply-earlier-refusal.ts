import type { Decision } from "@/contracts/decision";
import type { Refusal } from "@/contracts/refusals";
import type { AnalyzedCall } from "../analyzed-call";
import { computeDigest, type Policy } from "../compile-policy";
import { excerpt } from "../excerpt";
import { findRepeatedRefusal, type RepeatedRefusal } from "./repeated-refusal";

/** The name of the trace step for an earlier refusal; the step's `ruleId` is the refused call. */
export const earlierRefusalStep = "Refused earlier in this conversation";

type UnversionedDecision = Omit<Decision, "policyVersion" | "policyFile">;

/**
 * Asks about a call that repeats something refused in this conversation, and names the refusal. A denial stays a
 * denial. A refusal by the policy counts while the policy's version is the same; a refusal by a person always counts.
 */
export function applyEarlierRefusal(
  judgement: UnversionedDecision,
  { version }: Pick<Policy, "version">,
  call: AnalyzedCall,
): UnversionedDecision {
  const { refusals } = call.context;
  if (!refusals || refusals.length === 0) return judgement;
  const counting = refusals.filter(({ by, policyVersion }) => by === "person" || policyVersion === version);
  const found = findRepeatedRefusal(counting, call);
  if (!found) return judgement;
  const why = sentenceOf(found, call);
  const step = { ruleId: found.refusal.callId, ruleName: earlierRefusalStep, result: "matched" as const, why };
  const told = { ...judgement, reason: `${judgement.reason} ${why}`, trace: [...judgement.trace, step] };
  if (judgement.verdict !== "allow") return told;
  const { grantId, ...asked } = told;
  // The digest depends only on the refusal, so that an approval still holds when the call is decided again.
  return { ...asked, verdict: "require_approval", reason: why, ruleId: null, ruleDigest: computeDigest({ refusal: found.refusal.callId }) };
}

function sentenceOf({ refusal, touch }: RepeatedRefusal, { tool }: AnalyzedCall): string {
  const who = refusal.by === "person" ? "A person" : "The policy";
  const before = `${who} refused ${refusal.tool}${reasonOf(refusal)} earlier in this conversation`;
  if (!touch) return `${before}, and this is the same call again.`;
  const does = { read: "reads", change: "changes", reach: "reaches" }[touch.act];
  return `${before}, and this call of ${tool.name} ${does} the same: ${excerpt(touch.target)}.`;
}

function reasonOf({ reason }: Refusal): string {
  return reason ? ` ("${excerpt(reason)}")` : "";
}
