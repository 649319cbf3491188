import type { Word } from "unbash";
import { tooMuch } from "./reading-budget";

const maxWords = 512;
const maxExpandedChars = 20_000;

/** Returns whether a word may hold braces that the parser reads as plain text but bash expands: `{a},b}` becomes `a} b`. */
export function hasOddBraces({ text, parts }: Word): boolean {
  if (!text.includes("{")) return false;
  const bare = parts ? parts.map((part) => (part.type === "Literal" ? part.text : "")).join("") : text;
  const plain = bare.replace(/\\./gs, "");
  const open = plain.indexOf("{");
  const comma = open < 0 ? -1 : plain.indexOf(",", open);
  return comma >= 0 && plain.indexOf("}", comma) >= 0;
}

/** An open pair of braces: the words before it, and the words of each choice that a comma ended. */
type Open = { before: readonly string[]; choices: (readonly string[])[] };

/**
 * Expands the braces of a word, nested braces included: `a{b,c}d`. Ranges (`{1..9}`) and braces without a comma stay
 * unchanged.
 * @throws Error when the words are too many
 */
export function expandBraces(word: string): readonly string[] {
  const open: Open[] = [];
  let words: readonly string[] = [""];
  let from = 0;
  for (let at = 0; at <= word.length; at += 1) {
    const character = word.charAt(at);
    const inner = open.at(-1);
    const isSign = character === "{" || character === "}" || (character === "," && inner !== undefined);
    if (!isSign && at < word.length) continue;
    if (at > from) words = product(words, [word.slice(from, at)]);
    from = at + 1;
    if (character === "{") {
      open.push({ before: words, choices: [] });
      words = [""];
    } else if (inner && character === ",") {
      inner.choices.push(words);
      words = [""];
    } else if (inner && character === "}" && !mayGoOn(open, words)) {
      open.pop();
      const isChoice = inner.choices.length > 0;
      words = product(inner.before, isChoice ? [...inner.choices, words].flat() : product(product(["{"], words), ["}"]));
    } else if (character === "}") words = product(words, ["}"]);
  }
  return open.reduceRight(withoutPartner, words);
}

/** Returns whether an outermost brace stays open at a `}` because no comma came before it: `{a},b}` becomes `a} b`. */
function mayGoOn(open: readonly Open[], words: readonly string[]): boolean {
  return open.length === 1 && open[0]?.choices.length === 0 && !words.some((word) => word.includes(".."));
}

/** Restores an unclosed brace as plain text. */
function withoutPartner(last: readonly string[], { before, choices }: Open): readonly string[] {
  const written = choices.reduce((words, choice) => product(product(words, choice), [","]), product(before, ["{"]));
  return product(written, last);
}

function product(before: readonly string[], after: readonly string[]): readonly string[] {
  const [only] = after;
  if (after.length === 1 && only !== undefined) return bounded(before.map((start) => start + only));
  if (before.length * after.length > maxWords) throw tooMuch();
  return bounded(before.flatMap((start) => after.map((end) => start + end)));
}

/**
 * Checks the number and the total length of words.
 * @throws Error when either is too large
 */
function bounded(words: string[]): string[] {
  let chars = 0;
  for (const word of words) chars += word.length;
  if (words.length > maxWords || chars > maxExpandedChars) throw tooMuch();
  return words;
}
