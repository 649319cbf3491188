import { maskInText } from "@/server/audit/mask-secrets";

const maxChars = 80;

/** A piece of what a model sent, fit to stand in a sentence: on one line, short, secrets masked, nothing invisible. */
export function excerpt(text: string): string {
  const masked = maskInText(text.slice(0, 4 * maxChars));
  const visible = masked.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, visibly);
  return visible.length > maxChars || text.length > 4 * maxChars ? `${visible.slice(0, maxChars).toWellFormed()}…` : visible;
}

function visibly(character: string): string {
  if (character === "\n") return "⏎";
  if (character === "\t") return " ";
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
