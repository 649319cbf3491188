/** A script in which what long quotes hold is left out. */
export type WithoutLongQuotes = { text: string; leftOut: number };

/** Stands in a quote in place of what it holds. */
export const leftOut = "\uE004";

/** Shorter ones are read with the rest. */
const minChars = 200;
/** Of a text with more pieces, nobody looks for the long ones. */
const maxPieces = 3_000;
const piece = /[^'"\\]+|\\.|'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|./gs;

/**
 * Leaves out what stands in long quotes in which nothing is expanded: the body of a request, the message of a commit. Where
 * quotes begin is a guess: a parser has to find each of them as a whole quote, or the text has to be given up.
 */
export function withoutLongQuotes(script: string): WithoutLongQuotes | null {
  if (script.includes(leftOut)) return null;
  let text = "";
  let count = 0;
  let pieces = 0;
  piece.lastIndex = 0;
  for (let found = piece.exec(script); found; found = piece.exec(script)) {
    pieces += 1;
    if (pieces > maxPieces) return null;
    const [written] = found;
    const quote = written.charAt(0);
    const isLong = written.length > minChars && (quote === "'" || (quote === '"' && !/[$`\\]/.test(written)));
    text += isLong ? quote + leftOut + quote : written;
    if (isLong) count += 1;
  }
  return count === 0 ? null : { text, leftOut: count };
}
