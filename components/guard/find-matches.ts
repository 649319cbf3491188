import type { RE2JS } from "re2js";

/** A piece of a text, and whether a pattern found it. */
export type MatchPiece = { text: string; matched: boolean };

const mostMatches = 200;

/** Splits a text where a pattern is found, with the engine that the guard itself uses. */
export function findMatches(pattern: RE2JS, text: string): MatchPiece[] {
  const pieces: MatchPiece[] = [];
  const matcher = pattern.matcher(text);
  let from = 0;
  for (let count = 0; count < mostMatches && matcher.find(); count++) {
    const start = matcher.start();
    const end = matcher.end();
    // An empty match marks nothing.
    if (end === start) continue;
    if (start > from) pieces.push({ text: text.slice(from, start), matched: false });
    pieces.push({ text: text.slice(start, end), matched: true });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), matched: false });
  return pieces;
}
