import type { ComparableEffect, Refusal } from "@/contracts/guard/refusals";
import type { AnalyzedCall } from "../call/analyzed-call";
import type { GuardRequest } from "../call/guard-request";
import { computeDigest } from "../matching/compile-rule";
import { comparableEffects } from "./comparable-effects";
import { isSameTarget, makeComparingBudget, prepareEffect } from "./same-target";

/** Computes the digest by which an identical call is recognised. */
export function computeCallDigest({ tool, arguments: args }: Pick<GuardRequest, "tool" | "arguments">): string {
  return computeDigest([tool.name, args]);
}

/** Whether people refused the call. Rows that older versions wrote also hold denials by policy. */
export const isOfPeople = ({ by }: Refusal): boolean => by === "person" || by === "expiry";

/** An earlier refusal that a call repeats, and the common effect; null for an identical call. */
export type RepeatedRefusal = { refusal: Refusal; effect: ComparableEffect | null };

/**
 * Finds the conversation's refusals that this call repeats or bypasses, the oldest first: the same call, or a call that
 * does the same kind of thing to the same target. Pure.
 */
export function findRepeatedRefusals(refusals: readonly Refusal[], call: AnalyzedCall): RepeatedRefusal[] {
  if (refusals.length === 0) return [];
  const digest = computeCallDigest(call);
  const effects = comparableEffects(call).map(prepareEffect);
  const budget = makeComparingBudget();
  return refusals.filter(isOfPeople).flatMap((refusal): RepeatedRefusal[] => {
    if (refusal.digest === digest) return [{ refusal, effect: null }];
    const refused = refusal.touches.map(prepareEffect);
    const repeated = effects.find((effect) => refused.some((one) => isSameTarget(one, effect, budget)));
    return repeated ? [{ refusal, effect: { act: repeated.act, target: repeated.target } }] : [];
  });
}
