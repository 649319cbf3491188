import { describeHidden, findHiddenCharacters, removeHiddenCharacters } from "@/server/tools/definitions/hidden-characters";
import { storable, withoutEscapeSequences } from "./clean-text";

const withoutEscapes = (text: string): string => storable(withoutEscapeSequences(text));

/** Returns a text as `cleanResult` leaves it, without the line about what was removed. */
export const withoutHidden = (text: string): string => removeHiddenCharacters(withoutEscapes(text));

/**
 * Removes hidden characters and terminal sequences from a result's text, because a model reads what no person sees. A
 * line at the end says what was removed, so that the removal is no secret either.
 */
export function cleanResult(text: string): string {
  const stored = withoutEscapes(text);
  const hidden = findHiddenCharacters(stored);
  if (hidden.size === 0) return stored;
  return `${removeHiddenCharacters(stored)}\n[Handrail removed hidden characters: ${describeHidden(hidden)}]`;
}
