import { describeHidden, findHiddenCharacters, removeHiddenCharacters } from "@/server/guard/definitions/hidden-characters";
import { storable, withoutEscapeSequences } from "./clean-text";

/**
 * Removes hidden characters and terminal sequences from a result's text, because a model reads what no person sees. A
 * line at the end says what was removed, so that the removal is no secret either.
 */
export function cleanResult(text: string): string {
  const stored = storable(withoutEscapeSequences(text));
  const hidden = findHiddenCharacters(stored);
  if (hidden.size === 0) return stored;
  return `${removeHiddenCharacters(stored)}\n[Handrail removed hidden characters: ${describeHidden(hidden)}]`;
}
