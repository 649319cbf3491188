import type { RE2JS } from "re2js";

/** A piece of a text, matched by the pattern or not. */
export type MatchPiece = { text: string; matched: boolean };

const maxMatches = 200;

/** Splits a text at the matches of a pattern, with the guard's own engine. */
export function findMatches(pattern: RE2JS, text: string): MatchPiece[] {
  const pieces: MatchPiece[] = [];
  const matcher = pattern.matcher(text);
  let from = 0;
  for (let count = 0; count < maxMatches && matcher.find(); count++) {
    const start = matcher.start();
    const end = matcher.end();
    // Skips empty matches.
    if (end === start) continue;
    if (start > from) pieces.push({ text: text.slice(from, start), matched: false });
    pieces.push({ text: text.slice(start, end), matched: true });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), matched: false });
  return pieces;
}
