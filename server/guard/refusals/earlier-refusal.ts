import type { Refusal, Touch } from "@/db/schema";
import type { AskedCall } from "../asked-call";
import type { CallOnTrial } from "../call-on-trial";
import { digestOf } from "../compile-policy";
import { globFits, withoutBrackets } from "../matching/glob";
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
  const touches = touchesOf(call);
  for (const refusal of refusals) {
    if (refusal.digest === digest) return { refusal, touch: null };
    const touch = touches.find((touch) => refusal.touches.some((refused) => isSame(refused, touch)));
    if (touch) return { refusal, touch };
  }
  return null;
}

/** What changes a thing may also read it: only the other way round are they apart. */
function isSame(refused: Touch, touch: Touch): boolean {
  const acts = refused.act === touch.act || (refused.act === "read" && touch.act === "change");
  return acts && covers(refused.target, touch.target);
}

function covers(refused: string, target: string): boolean {
  if (refused === target) return true;
  const [refusedGlob, targetGlob] = [globOf(refused), globOf(target)];
  return (refusedGlob !== null && globFits(refusedGlob, target)) || (targetGlob !== null && globFits(targetGlob, refused));
}

/** A target that may stand for several; null for one that is just itself. A bracket is taken for any character. */
function globOf(target: string): string | null {
  const glob = withoutBrackets(target);
  return /[*?]/.test(glob) ? glob : null;
}
