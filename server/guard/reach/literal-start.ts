import { certainText, splitLiteral } from "../matching/literal-start";

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

/** Returns the literal start of a pattern with its end; null when no such text is certain. */
export function readLiteralStart(pattern: string): LiteralStart | null {
  const split = splitLiteral(pattern);
  if (!split) return null;
  const end = endings.get(split.rest) ?? "other";
  const text = certainText(split);
  return text === "" || (end === "boundary" && !/\w$/.test(text)) ? null : { text, end };
}
