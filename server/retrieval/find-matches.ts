import { tokenize, wordPattern } from "./tokenize";

/** A place of a text in which a word of a request stands; `line` counts from 1. */
export type Match = { start: number; end: number; line: number; term: string };

/** Matches of a text, all counted and the first ones placed. */
export type Matches = {
  /** Terms of the request that the text has. */
  terms: Set<string>;
  places: Match[];
};

const maxPlaces = 200;
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Finds where a text has terms of a request. Offsets count UTF-16 units of the text as it is given. */
export function findMatches(text: string, terms: ReadonlySet<string>): Matches {
  const found: Matches = { terms: new Set(), places: [] };
  if (terms.size === 0) return found;
  let line = 1;
  let lineFrom = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    const matched = tokenize(word).filter((term) => terms.has(term));
    if (matched.length === 0) continue;
    for (const term of matched) found.terms.add(term);
    if (found.places.length >= maxPlaces) continue;
    for (let next = text.indexOf("\n", lineFrom); next >= 0 && next < index; next = text.indexOf("\n", lineFrom)) {
      line++;
      lineFrom = next + 1;
    }
    // Text without spaces, such as Chinese, is one long word: the pair of characters is the place.
    for (const term of matched) {
      const inside = unspaced.test(term) ? word.indexOf(term) : -1;
      const start = index + Math.max(0, inside);
      found.places.push({ start, end: inside < 0 ? index + word.length : start + term.length, line, term });
    }
  }
  return found;
}

/** Returns a stretch of the text around its densest matches on one line, with an ellipsis where it is cut. */
export function snippetOf(text: string, { places }: Matches, characters: number): { snippet: string; line: number } {
  const best = densest(places, characters);
  const at = best?.start ?? 0;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const from = Math.max(0, Math.min(at - lineStart - Math.floor(characters / 4), line.length - characters));
  const cut = line
    .slice(from, from + characters)
    .toWellFormed()
    .trim();
  return { snippet: `${from > 0 ? "…" : ""}${cut}${from + characters < line.length ? "…" : ""}`, line: best?.line ?? 1 };
}

/** Returns the place from which most different terms stand within some characters of its line. */
function densest(places: readonly Match[], characters: number): Match | undefined {
  let best: Match | undefined;
  let most = 0;
  for (const [at, place] of places.entries()) {
    const near = new Set<string>();
    for (let next = at; next < places.length; next++) {
      const other = places[next];
      if (!other || other.line !== place.line || other.end > place.start + characters) break;
      near.add(other.term);
    }
    if (near.size > most) [best, most] = [place, near.size];
  }
  return best;
}
