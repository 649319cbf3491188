import type { Decision } from "@/contracts/decision";
import type { Refusal } from "@/db/schema";
import type { CallOnTrial } from "../call-on-trial";
import { digestOf, type Policy } from "../compile-policy";
import { excerpt } from "../excerpt";
import { earlierRefusal, type WayAround } from "./earlier-refusal";

/** How the step of a trace is called that tells of an earlier refusal; its `ruleId` is the refused call. */
export const earlierRefusalStep = "Refused earlier in this conversation";

type Judgement = Omit<Decision, "policyVersion" | "policyFile">;

/**
 * Asks about a call that would get what was refused in the same conversation, and names the refusal. A denial stays one. A
 * refusal by the policy counts while the policy is the same; one by a person stays.
 */
export function withRefusal(judgement: Judgement, { version }: Pick<Policy, "version">, call: CallOnTrial): Judgement {
  const { refusals } = call.context;
  if (!refusals || refusals.length === 0) return judgement;
  const counting = refusals.filter(({ by, policyVersion }) => by === "person" || policyVersion === version);
  const found = earlierRefusal(counting, call);
  if (!found) return judgement;
  const why = sentenceOf(found, call);
  const step = { ruleId: found.refusal.callId, ruleName: earlierRefusalStep, result: "matched" as const, why };
  const told = { ...judgement, reason: `${judgement.reason} ${why}`, trace: [...judgement.trace, step] };
  if (judgement.verdict !== "allow") return told;
  const { grantId, ...asked } = told;
  // The same refusal, the same question: an answer to it holds however often it is decided again.
  return { ...asked, verdict: "require_approval", reason: why, ruleId: null, ruleDigest: digestOf({ refusal: found.refusal.callId }) };
}

function sentenceOf({ refusal, touch }: WayAround, { tool }: CallOnTrial): string {
  const who = refusal.by === "person" ? "A person" : "The policy";
  const before = `${who} refused ${refusal.tool}${reasonOf(refusal)} earlier in this conversation`;
  if (!touch) return `${before}, and this is the same call again.`;
  const does = { read: "reads", change: "changes", reach: "reaches" }[touch.act];
  return `${before}, and this call of ${tool.name} ${does} the same: ${excerpt(touch.target)}.`;
}

function reasonOf({ reason }: Refusal): string {
  return reason ? ` ("${excerpt(reason)}")` : "";
}
