import { maskInText } from "@/server/secrets/mask-secrets";

const maxExcerptChars = 80;

/**
 * Shortens a model's text for use in a sentence: one line, secrets masked, nothing invisible.
 * @param hints facts already known about the text
 */
export function excerpt(text: string, hints?: { isPlain: boolean }): string {
  if (hints?.isPlain && text.length <= maxExcerptChars) return text;
  const beginning = beginningOf(text);
  const shown = visible(maskInText(beginning));
  return shown.length > maxExcerptChars || beginning.length < text.length ? `${shown.slice(0, maxExcerptChars).toWellFormed()}…` : shown;
}

/** Returns a text's beginning up to the end of a word, because half a secret would not be recognised as a secret. */
function beginningOf(text: string): string {
  if (text.length <= 4 * maxExcerptChars) return text;
  const end = text.slice(4 * maxExcerptChars, 64 * maxExcerptChars).search(/\s/);
  return end >= 0 ? text.slice(0, 4 * maxExcerptChars + end) : text.slice(0, 4 * maxExcerptChars).replace(/\S+$/, "");
}

/** Returns a text on one line, with escapes in place of invisible characters. */
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

/** Begins a sentence with a part of one. */
export const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);
