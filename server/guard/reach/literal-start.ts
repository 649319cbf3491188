/** The literal text that a pattern requires at the start, such as `git log` of `^git log(?: |$)`. */
export type LiteralStart = { text: string; end: PatternEnd };

/** The rest of a pattern after its literal start. */
export type PatternEnd = "open" | WordEnd | "whole" | "other";

/** Endings of a word, each including the ones behind it: a boundary, any blank or the end, a space or the end. */
export const wordEnds = ["boundary", "blank", "space"] as const;
export type WordEnd = (typeof wordEnds)[number];

const endings: ReadonlyMap<string, PatternEnd> = new Map([
  ["", "open"],
  ["$", "whole"],
  ["\\b", "boundary"],
  ["(?:\\s|$)", "blank"],
  ["(\\s|$)", "blank"],
  ["(?: |$)", "space"],
  ["( |$)", "space"],
]);

/** Returns the text with which every match of a pattern begins; null when no such text is certain. */
export function literalStart(pattern: string): LiteralStart | null {
  if (!pattern.startsWith("^")) return null;
  const { text, rest } = splitLiteral(pattern.slice(1));
  const end = endings.get(rest);
  if (end !== undefined) return text === "" || (end === "boundary" && !/\w$/.test(text)) ? null : { text, end };
  // An alternative may begin with another text, and a quantifier makes the character before it optional.
  if (rest.includes("|")) return null;
  const certain = /^[*?{]/.test(rest) ? text.slice(0, -1) : text;
  return certain === "" ? null : { text: certain, end: "other" };
}

function splitLiteral(pattern: string): { text: string; rest: string } {
  let text = "";
  let at = 0;
  for (; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      const escaped = pattern.charAt(at + 1);
      // A backslash before a letter or digit is a class (\d), a boundary (\b) or a control character (\n).
      if (escaped === "" || /[A-Za-z0-9]/.test(escaped)) break;
      text += escaped;
      at += 1;
    } else if (/[.*+?()[\]{}|^$]/.test(character)) break;
    else text += character;
  }
  return { text, rest: pattern.slice(at) };
}
