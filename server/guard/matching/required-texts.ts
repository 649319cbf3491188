/**
 * Texts, at least one of them contained in every text that a pattern matches. These texts rule out most patterns by a search
 * for a few characters.
 */
export type RequiredTexts = {
  /** Non-empty ASCII texts; in lower case when the pattern ignores case. */
  texts: readonly string[];
  /** The texts have to be searched in the result of `foldCase`, because the pattern ignores case somewhere. */
  isFolded: boolean;
};

/**
 * Returns the required texts of a pattern; null when none can be named. The reader understands a small part of RE2's
 * syntax and answers null to everything else, so a non-null answer also proves that the pattern is valid.
 */
export function requiredTexts(pattern: string): RequiredTexts | null {
  const reader: Reader = { source: pattern, at: 0, isFolded: false };
  try {
    const { required } = readAlternatives(reader, 0);
    if (reader.at !== pattern.length || required === null) return null;
    const { isFolded } = reader;
    return { texts: isFolded ? [...new Set(required.map((text) => text.toLowerCase()))] : required, isFolded };
  } catch {
    // The reader does not understand this syntax, so the engine decides.
    return null;
  }
}

/**
 * Folds the case of a text as `(?i)` does for ASCII letters: both cases, the long s (U+017F) and the Kelvin sign
 * (U+212A) become the letter in lower case.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes("\u017f") ? lower.replaceAll("\u017f", "s") : lower;
}

type Reader = { source: string; at: number; isFolded: boolean };

/** Known facts about the texts that a part of a pattern matches. */
type Part = {
  /** Every text that the part matches; null when they are too many or unknown. */
  exact: readonly string[] | null;
  /** Texts, at least one of them contained in every match of the part; null when none can be named. */
  required: readonly string[] | null;
  /** The part contains a counted repetition: nested counts may exceed RE2's limit. */
  hasCount: boolean;
};

const outOfDepth = Symbol("more than this reader knows");
const maxTexts = 16;
const maxLength = 80;
const maxPatternDepth = 20;
const maxCount = 100;
/** A larger class would multiply the texts more than it helps. */
const maxMembers = 4;
const classEscapes = /[dswDSW]/;
const plainClass = /^\[\^?(?:[A-Za-z0-9_ .,:;/@%#=<>!-](?!-)|a-z|A-Z|0-9|a-f|A-F|\\[dswDSW.\\/\]-])+\]/;
const smallClass = new RegExp(`^\\[[A-Za-z0-9_ .,:;/@%#=<>!]{1,${maxMembers}}\\]$`);
const flags = /^\(\?([imsU]{1,4})(?:-[imsU]{1,4})?([:)])/;
const count = /^\{(\d{1,3})(,(\d{0,3}))?\}/;

const unknown: Part = { exact: null, required: null, hasCount: false };
const empty: Part = { exact: [""], required: null, hasCount: false };
const literal = (text: string): Part => ({ exact: [text], required: [text], hasCount: false });

function readAlternatives(reader: Reader, depth: number): Part {
  if (depth > maxPatternDepth) throw outOfDepth;
  let all = readSequence(reader, depth);
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    const next = readSequence(reader, depth);
    all = { exact: union(all.exact, next.exact), required: union(all.required, next.required), hasCount: all.hasCount || next.hasCount };
  }
  return all;
}

function union(some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null {
  if (some === null || others === null) return null;
  const all = [...new Set([...some, ...others])];
  return all.length <= maxTexts ? all : null;
}

/** Concatenates every first text with every second one; null when the results are too many or too long. */
function joined(firsts: readonly string[], seconds: readonly string[]): readonly string[] | null {
  if (firsts.length * seconds.length > maxTexts) return null;
  const all = firsts.flatMap((first) => seconds.map((second) => first + second));
  return all.every(({ length }) => length <= maxLength) ? [...new Set(all)] : null;
}

/** Reads a sequence, and picks the most selective of its sets of required texts. */
function readSequence(reader: Reader, depth: number): Part {
  let best: readonly string[] | null = null;
  /** The contiguous texts that end at the current position. */
  let run: readonly string[] = [""];
  let isExact = true;
  let hasCount = false;
  const offer = (texts: readonly string[] | null) => {
    if (!texts || texts.includes("")) return;
    // A text that contains another text of the set is redundant.
    const least = texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)));
    if (best === null || selectivity(least) > selectivity(best)) best = least;
  };
  const append = (exact: readonly string[]) => {
    const longer = joined(run, exact);
    if (longer) run = longer;
    else breakRun(exact);
  };
  const breakRun = (next: readonly string[]) => {
    offer(run);
    run = next;
    isExact = false;
  };
  for (;;) {
    const character = reader.source[reader.at];
    if (character === undefined || character === "|" || character === ")") break;
    const plain = plainText(reader);
    if (plain) {
      append([plain]);
      continue;
    }
    const part = readAtom(reader, depth);
    const times = readRepetition(reader);
    if (times.isCounted && part.hasCount) throw outOfDepth;
    hasCount ||= part.hasCount || times.isCounted;
    const { exact } = part;
    const optional = times.least === 0 && times.most === 1 && exact ? union(exact, [""]) : null;
    if (times.least === 0) {
      const longer = optional && joined(run, optional);
      if (longer) run = longer;
      else breakRun([""]);
    } else if (exact === null) {
      breakRun([""]);
      offer(part.required);
    } else {
      append(exact);
      // With more than one repetition, the first ends the current run and the last begins the next run.
      if (times.most > 1) breakRun(exact);
    }
  }
  offer(run);
  return { exact: isExact ? run : null, required: best, hasCount };
}

/** A longer shortest text is more selective; each doubling of the number of texts costs one character. */
const selectivity = (texts: readonly string[]) => Math.min(...texts.map(({ length }) => length)) - Math.log2(texts.length);

/** Literal characters, except one that a repetition operator follows. */
const plain = /[A-Za-z0-9 _/:;,@%#=<>!~"'&-]{1,40}(?![*+?{])/y;

/** Reads many literal characters at once, because most patterns are mostly literal. */
function plainText(reader: Reader): string | null {
  plain.lastIndex = reader.at;
  const found = plain.exec(reader.source)?.[0] ?? null;
  if (found !== null) reader.at += found.length;
  return found;
}

function readAtom(reader: Reader, depth: number): Part {
  const { source, at } = reader;
  const character = source.charAt(at);
  if (character === "(") return readGroup(reader, depth);
  if (character === "[") return readClass(reader);
  if (character === "\\") {
    const escaped = source[at + 1] ?? "";
    reader.at += 2;
    if (classEscapes.test(escaped)) return unknown;
    if (escaped === "b") return empty;
    if (/[.\\/()[\]{}|^$*+?-]/.test(escaped)) return literal(escaped);
    throw outOfDepth;
  }
  if (/[*+?{}\])]/.test(character)) throw outOfDepth;
  const point = Number(source.codePointAt(at));
  // The engine decides about control characters and lone surrogates.
  if (point < 0x20 || point === 0x7f || (point >= 0xd800 && point <= 0xdfff)) throw outOfDepth;
  reader.at += point > 0xffff ? 2 : 1;
  // A letter outside of ASCII may have case variants of another length.
  if (point > 0x7f || character === ".") return unknown;
  return character === "^" || character === "$" ? empty : literal(character);
}

function readClass(reader: Reader): Part {
  const found = plainClass.exec(reader.source.slice(reader.at, reader.at + 200))?.[0];
  if (found === undefined) throw outOfDepth;
  reader.at += found.length;
  const members = smallClass.test(found) ? [...new Set(found.slice(1, -1))] : null;
  return { exact: members, required: members, hasCount: false };
}

function readGroup(reader: Reader, depth: number): Part {
  const rest = reader.source.slice(reader.at, reader.at + 16);
  const found = flags.exec(rest);
  if (found) {
    reader.isFolded ||= Boolean(found[1]?.includes("i"));
    reader.at += found[0].length;
    // A flags-only group applies to the pattern behind it, so a repetition operator has nothing to repeat.
    if (found[2] === ")") {
      if (/^[*+?{]/.test(reader.source.slice(reader.at))) throw outOfDepth;
      return empty;
    }
  } else reader.at += rest.startsWith("(?:") ? 3 : 1;
  const part = readAlternatives(reader, depth + 1);
  if (reader.source[reader.at] !== ")") throw outOfDepth;
  reader.at += 1;
  return part;
}

type Times = { least: number; most: number; isCounted: boolean };

function readRepetition(reader: Reader): Times {
  const { source, at } = reader;
  const operator = source.charAt(at);
  let times: Times;
  if (operator === "*" || operator === "+" || operator === "?") {
    reader.at += 1;
    times = { least: operator === "+" ? 1 : 0, most: operator === "?" ? 1 : Number.POSITIVE_INFINITY, isCounted: false };
  } else if (operator === "{") {
    const found = count.exec(source.slice(at, at + 12));
    if (!found) throw outOfDepth;
    reader.at += found[0].length;
    const least = Number(found[1]);
    const most = found[2] === undefined ? least : found[3] ? Number(found[3]) : Number.POSITIVE_INFINITY;
    if (least > most || least > maxCount || (Number.isFinite(most) && most > maxCount)) throw outOfDepth;
    times = { least, most, isCounted: true };
  } else return { least: 1, most: 1, isCounted: false };
  if (source[reader.at] === "?") reader.at += 1;
  return times;
}
