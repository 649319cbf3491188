/**
 * Texts of which at least one is in every text that a pattern matches, so that most patterns are ruled out by looking
 * for a few characters; null where none can be named. It reads a small, certain part of RE2's syntax, and what it does
 * not know makes it answer null: an answer also says that the pattern is valid.
 */
export function requiredTexts(pattern: string): readonly string[] | null {
  const reader = { source: pattern, at: 0 };
  try {
    const texts = readAlternatives(reader, 0);
    return reader.at === pattern.length ? texts : null;
  } catch {
    return null;
  }
}

type Reader = { source: string; at: number };
/** null: nothing certain is in it. */
type Texts = readonly string[] | null;

const outOfDepth = Symbol("more than this reader knows");
const maxTexts = 16;
const maxDepth = 20;
const classEscapes = /[dswDSW]/;
const plainClass = /^\[\^?(?:[A-Za-z0-9_ .,:;/@%#=<>!-](?!-)|a-z|A-Z|0-9|a-f|A-F|\\[dswDSW.\\/\]-])+\]/;

function readAlternatives(reader: Reader, depth: number): Texts {
  if (depth > maxDepth) throw outOfDepth;
  let all: Texts = readSequence(reader, depth);
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    const next = readSequence(reader, depth);
    all = all && next && all.length + next.length <= maxTexts ? [...all, ...next] : null;
  }
  return all;
}

/** The best of what must be there: the set whose shortest text is the longest. */
function readSequence(reader: Reader, depth: number): Texts {
  let best: Texts = null;
  let run = "";
  const offer = (texts: Texts) => {
    if (texts && shortest(texts) > (best ? shortest(best) : 0)) best = texts;
  };
  const endRun = () => {
    if (run) offer([run]);
    run = "";
  };
  for (;;) {
    const character = reader.source[reader.at];
    if (character === undefined || character === "|" || character === ")") break;
    const atom = readAtom(reader, depth);
    const repeated = readRepetition(reader);
    if (atom.literal !== null && repeated === "once") {
      run += atom.literal;
    } else if (repeated === "at least once") {
      if (atom.literal !== null) run += atom.literal;
      endRun();
      offer(atom.texts);
    } else if (!atom.isEmpty) {
      endRun();
      if (repeated === "once") offer(atom.texts);
    }
  }
  endRun();
  return best;
}

const shortest = (texts: readonly string[]) => Math.min(...texts.map(({ length }) => length));

type Atom = { literal: string | null; texts: Texts; isEmpty: boolean };
const something: Atom = { literal: null, texts: null, isEmpty: false };
const nothing: Atom = { literal: null, texts: null, isEmpty: true };

function readAtom(reader: Reader, depth: number): Atom {
  const { source, at } = reader;
  const character = source.charAt(at);
  if (character === "(") return readGroup(reader, depth);
  if (character === "[") {
    const found = plainClass.exec(source.slice(at, at + 200));
    if (!found) throw outOfDepth;
    reader.at += found[0].length;
    return something;
  }
  if (character === "\\") {
    const escaped = source[at + 1] ?? "";
    reader.at += 2;
    if (classEscapes.test(escaped)) return something;
    if (escaped === "b") return nothing;
    if (/[.\\/()[\]{}|^$*+?-]/.test(escaped)) return { ...something, literal: escaped };
    throw outOfDepth;
  }
  if (/[*+?{}\])]/.test(character)) throw outOfDepth;
  // Outside ASCII a character may be half of one.
  if (!/[\x20-\x7e]/.test(character)) throw outOfDepth;
  reader.at += 1;
  if (character === ".") return something;
  return character === "^" || character === "$" ? nothing : { ...something, literal: character };
}

function readGroup(reader: Reader, depth: number): Atom {
  const opening = reader.source.startsWith("(?:", reader.at) ? 3 : 1;
  reader.at += opening;
  const texts = readAlternatives(reader, depth + 1);
  if (reader.source[reader.at] !== ")") throw outOfDepth;
  reader.at += 1;
  return { ...something, texts };
}

function readRepetition(reader: Reader): "once" | "at least once" | "maybe" {
  const { source, at } = reader;
  const operator = source[at];
  if (operator !== "*" && operator !== "+" && operator !== "?") return "once";
  reader.at += source[at + 1] === "?" ? 2 : 1;
  return operator === "+" ? "at least once" : "maybe";
}
