import { LRUCache } from "lru-cache";
import { stemmer } from "stemmer";

/** Words that distinguish nothing. */
const stopWords = new Set(
  `a about above actually after again all also am an and any are as asap at be because been before being below between both but by can
could did do does doing don down during each either else ever every few for from further had has have having he her here hers him his
how i if in into is it its itself just kindly let like ll m may me might mine more most must my myself need no nor not of off on once
only or other our out over own per please quite rather re s same seem shall she should so some such t than thank that the their them
then there these they this those through to too up us using use used ve very via want was we well were what when where which while
who whom whose why will wish with within without would yet you your yours hello hi hey thanks able really know`.split(/\s+/),
);

const stems = new LRUCache<string, string>({ max: 50_000 });

/** Returns the stem of a lower-case word of Latin letters; other words stay unchanged. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = /^[a-z]{3,40}$/.test(word) ? stemmer(word) : word;
  stems.set(word, found);
  return found;
}

/** A word as it is written, before it is split. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
const cjkPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/gu;
const piecePattern = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+|\p{N}+/gu;

/**
 * Splits a text into the terms of the index: identifiers at case, underscores and digits, words to their stems, and
 * Chinese, Japanese and Korean into pairs of characters.
 */
export function tokenize(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.normalize("NFKC").matchAll(wordPattern)) {
    const latin = word.replace(cjkPattern, (run) => {
      addPairs(terms, run);
      return " ";
    });
    for (const part of latin.split(" ")) if (part) addPieces(terms, part);
  }
  return terms;
}

function addPieces(terms: string[], word: string): void {
  const pieces = word.match(piecePattern) ?? [];
  const hasDigits = /\p{N}/u.test(word);
  // A name such as md5 or s3 is one word to people.
  if (hasDigits && pieces.length > 1 && word.length <= 12) add(terms, plain(word));
  for (const piece of pieces) {
    const lower = plain(piece);
    if (pieces.length > 1 && hasDigits && lower.length === 1) continue;
    add(terms, lower);
  }
}

/** Characters of a term; the rest of a longer word, such as of Base64, distinguishes nothing. */
const maxTerm = 64;

function add(terms: string[], word: string): void {
  if (word && !stopWords.has(word)) terms.push(stem(word.length > maxTerm ? word.slice(0, maxTerm) : word));
}

function addPairs(terms: string[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) terms.push(run);
  for (let at = 0; at + 1 < characters.length; at++) terms.push(`${characters[at]}${characters[at + 1]}`);
}

/** Lower case without accents: `Zürich` and `zurich` are one word. */
function plain(word: string): string {
  const lower = word.toLowerCase();
  return /^[a-z0-9]*$/.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "");
}
