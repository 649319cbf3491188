import type { TextMark } from "@/components/kit/ui/text/split-marks";
import type { Effect } from "@/contracts/decisions/effects";
import { pointerTo } from "@/contracts/lib/json-pointer";
import { describeEffect } from "./describe-effect";
import { bySeriousness } from "./effect-lines";

/** Part of every mask of a secret (`server/secrets`). A mask is shorter or longer than its secret. */
const maskSign = "***";

/**
 * Returns the marks of an argument's words that effects name, the most serious first. Returns none for a text with
 * masks, because the effects' offsets refer to the unmasked text.
 */
export function evidenceMarks(argument: string, text: string, effects: readonly Effect[]): TextMark[] {
  if (effects.length === 0 || text.includes(maskSign)) return [];
  const pointer = pointerTo("", argument);
  return bySeriousness(effects).flatMap((effect) => {
    const { argument: named, start, end } = effect.evidence;
    if (named !== pointer || !isPieceOf(text, start, end)) return [];
    const { text: note, tone } = describeEffect(effect);
    return [{ start, end, note, tone }];
  });
}

function isPieceOf(text: string, start: number, end: number): boolean {
  return start >= 0 && start < end && end <= text.length && isCharacterEdge(text, start) && isCharacterEdge(text, end);
}

/** Returns whether an offset lies between two characters; an offset inside a surrogate pair belongs to another text. */
function isCharacterEdge(text: string, at: number): boolean {
  return at === 0 || at === text.length || (text.codePointAt(at - 1) ?? 0) <= 0xffff;
}
