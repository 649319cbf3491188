import type { Word } from "unbash";
import { tooMuch } from "./reading-budget";

const maxWords = 512;
const maxChars = 20_000;

/** Whether a word may hold braces that a parser took for plain text and that bash spells out: `{a},b}` is `a} b`. */
export function hasOddBraces({ text, parts }: Word): boolean {
  if (!text.includes("{")) return false;
  const bare = parts ? parts.map((part) => (part.type === "Literal" ? part.text : "")).join("") : text;
  const plain = bare.replace(/\\./gs, "");
  const open = plain.indexOf("{");
  const comma = open < 0 ? -1 : plain.indexOf(",", open);
  return comma >= 0 && plain.indexOf("}", comma) >= 0;
}

/** A pair of braces that is open: what stands before it, and the words of each choice that has its comma. */
type Open = { before: readonly string[]; choices: (readonly string[])[] };

/**
 * The words that `a{b,c}d` stands for, of nested braces too. Ranges (`{1..9}`) stay as they are, and so do braces without a
 * comma.
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

/** Braces go on past a `}` with no comma before it, unless others are around them: `{a},b}` is `a} b`. */
function mayGoOn(open: readonly Open[], words: readonly string[]): boolean {
  return open.length === 1 && open[0]?.choices.length === 0 && !words.some((word) => word.includes(".."));
}

/** Braces that nothing closes are what they look like. */
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

/** @throws Error when they are too many */
function bounded(words: string[]): string[] {
  let chars = 0;
  for (const word of words) chars += word.length;
  if (words.length > maxWords || chars > maxChars) throw tooMuch();
  return words;
}
