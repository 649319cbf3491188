import type { Refusal, Touch } from "@/contracts/refusals";
import type { AnalyzedCall } from "../analyzed-call";
import { computeDigest } from "../compile-policy";
import type { GuardRequest } from "../guard-request";
import { callTouches } from "./call-touches";
import { comparable, isSameTarget, makeComparingBudget } from "./same-target";

/** Computes the digest by which an identical call is recognised. */
export function computeCallDigest({ tool, arguments: args }: Pick<GuardRequest, "tool" | "arguments">): string {
  return computeDigest([tool.name, args]);
}

/** Whether people refused the call. Rows that older versions wrote also hold denials by policy. */
export const isOfPeople = ({ by }: Refusal): boolean => by === "person" || by === "expiry";

/** An earlier refusal that a call repeats, and the common touch; the touch is null for an identical call. */
export type RepeatedRefusal = { refusal: Refusal; touch: Touch | null };

/**
 * Finds the conversation's refusals that this call repeats or bypasses, the oldest first: the same call, or a call that
 * does the same kind of thing to the same target. Pure.
 */
export function findRepeatedRefusals(refusals: readonly Refusal[], call: AnalyzedCall): RepeatedRefusal[] {
  if (refusals.length === 0) return [];
  const digest = computeCallDigest(call);
  const touches = callTouches(call).map(comparable);
  const budget = makeComparingBudget();
  return refusals.filter(isOfPeople).flatMap((refusal): RepeatedRefusal[] => {
    if (refusal.digest === digest) return [{ refusal, touch: null }];
    const refusedTouches = refusal.touches.map(comparable);
    const touch = touches.find((touch) => refusedTouches.some((refused) => isSameTarget(refused, touch, budget)));
    return touch ? [{ refusal, touch: { act: touch.act, target: touch.target } }] : [];
  });
}
