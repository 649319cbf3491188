import { maskInText } from "@/server/audit/mask-secrets";
import type { FirstLook } from "./first-look";

const maxChars = 80;

/**
 * A piece of what a model sent, fit to stand in a sentence: on one line, short, secrets masked, nothing invisible.
 * @param look what is known of the text already
 */
export function excerpt(text: string, look?: Pick<FirstLook, "isPlain">): string {
  if (look?.isPlain && text.length <= maxChars) return text;
  const beginning = beginningOf(text);
  const shown = visible(maskInText(beginning));
  return shown.length > maxChars || beginning.length < text.length ? `${shown.slice(0, maxChars).toWellFormed()}…` : shown;
}

/** Enough of a text, up to the end of a word: half a secret would not be recognised as one. */
function beginningOf(text: string): string {
  if (text.length <= 4 * maxChars) return text;
  const end = text.slice(4 * maxChars, 64 * maxChars).search(/\s/);
  return end >= 0 ? text.slice(0, 4 * maxChars + end) : text.slice(0, 4 * maxChars).replace(/\S+$/, "");
}

/** A text on one line in which nothing is invisible. */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, visibly);
}

const plain = /^[ -~]*$/;

function visibly(character: string): string {
  if (character === "\n") return "⏎";
  if (character === "\t") return " ";
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
