import type { Refusal, Touch } from "@/db/schema";
import type { AskedCall } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import { digestOf } from "../compile-policy";
import { budgetOfCall, comparable, isSameTarget } from "./same-target";
import { touchesOf } from "./touches-of";

/** By what a call is known when it comes again. */
export function digestOfCall({ tool, arguments: args }: Pick<AskedCall, "tool" | "arguments">): string {
  return digestOf([tool.name, args]);
}

/** An earlier refusal that a call is a way around, and by which touch. */
export type WayAround = { refusal: Refusal; touch: Touch | null };

/**
 * The oldest refusal of the conversation that this call repeats, or gets to by another way: the same call, or one that
 * does the same kind of thing to the same target. Pure.
 */
export function earlierRefusal(refusals: readonly Refusal[], call: CallOnTrial): WayAround | null {
  if (refusals.length === 0) return null;
  const digest = digestOfCall(call);
  const touches = touchesOf(call).map(comparable);
  const budget = budgetOfCall();
  for (const refusal of refusals) {
    if (refusal.digest === digest) return { refusal, touch: null };
    const refusedTouches = refusal.touches.map(comparable);
    const touch = touches.find((touch) => refusedTouches.some((refused) => isSameTarget(refused, touch, budget)));
    if (touch) return { refusal, touch: { act: touch.act, target: touch.target } };
  }
  return null;
}
