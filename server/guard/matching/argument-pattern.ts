import { RE2JS, RE2JSSyntaxException } from "re2js";
import { boundedSearch } from "./bounded-search";
import { sizeMistake } from "./pattern-size";
import { plainPattern } from "./plain-pattern";
import { requiredTexts } from "./required-texts";

/** A rule's pattern: RE2 syntax, found anywhere in a text, in time that grows with the text and never faster. */
export type ArgumentPattern = {
  source: string;
  /** Texts of which at least one is in every text that it matches; null where none can be named. */
  required: readonly string[] | null;
  /** Whether it is certain, from a few characters, that the pattern is not found: for most patterns on most texts. */
  isRuledOut: (text: string) => boolean;
  /** @throws Error that says so when the pattern would take too long on this text */
  isFoundIn: (text: string) => boolean;
  /** Length of the longest match that begins at the text's first character; null when none does. */
  lengthAtStart: (text: string) => number | null;
};

export type PatternError = {
  /** What is wrong and what to write instead. */
  message: string;
  /** Where, counted from 0; null when the pattern is wrong as a whole. */
  index: number | null;
};

export type CompiledPattern =
  | {
      ok: true;
      pattern: ArgumentPattern;
      /** Instructions; not known of one that is compiled lazily. */
      size?: number;
    }
  | { ok: false; error: PatternError };

/** @returns what is wrong with the pattern, and where, when it cannot be used */
export function compilePattern(source: string): CompiledPattern {
  try {
    const made = engine(source);
    const tooLarge = sizeMistake(made.anywhere);
    if (tooLarge) return { ok: false, error: { message: tooLarge, index: null } };
    return { ok: true, pattern: patternOf(source, made, requiredTexts(source)), size: made.anywhere.programSize() };
  } catch (error) {
    return { ok: false, error: explain(source, error) };
  }
}

/**
 * A pattern of a rule that is saved. Where it is plain enough to be known as valid, the engine is only made for a text
 * that could match: a policy of thousands of patterns is ready at once.
 */
export function compileLazily(source: string): CompiledPattern {
  const required = rememberedTexts(source);
  if (required === null) return compilePattern(source);
  let made: Engine | null = null;
  const lazily = (): Engine => {
    made ??= engine(source);
    return made;
  };
  return { ok: true, pattern: patternOf(source, lazily, required) };
}

/** Patterns outlive the policies that they stand in: each change of a policy makes all of its rules anew. */
const remembered = new Map<string, readonly string[] | null>();
const maxRemembered = 50_000;

function rememberedTexts(source: string): readonly string[] | null {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  if (remembered.size >= maxRemembered) remembered.clear();
  const texts = requiredTexts(source);
  remembered.set(source, texts);
  return texts;
}

type Engine = { anywhere: RE2JS; longest: RE2JS };

function engine(source: string): Engine {
  // The longest match, so that `^(ls|lsof)` covers lsof whatever the order of the choices.
  return { anywhere: RE2JS.compile(source), longest: RE2JS.compile(source, RE2JS.LONGEST_MATCH) };
}

/** Instructions times characters up to which a search is not counted: linear time is not short time, but this is. */
const uncountedSteps = 40_000;
/** Work of a search that is counted: a few milliseconds. */
const maxSearchWork = 15_000;
/** The same for the slower search for the longest match at the beginning. */
const maxPrefixSteps = 60_000;

function patternOf(source: string, made: Engine | (() => Engine), required: readonly string[] | null): ArgumentPattern {
  const engineOf = typeof made === "function" ? made : () => made;
  const isRuledOut = (text: string) => required !== null && !containsAny(text, required);
  const plain = plainPattern(source);
  if (plain) return { source, required, isRuledOut, ...plain };
  return {
    source,
    required,
    isRuledOut,
    isFoundIn: (text) => {
      if (isRuledOut(text)) return false;
      const { anywhere } = engineOf();
      if (anywhere.programSize() * text.length <= uncountedSteps) return anywhere.test(text);
      const searched = boundedSearch(anywhere, text, { left: maxSearchWork });
      if (searched === null) throw new Error(`The pattern would take too long on a text of ${text.length.toLocaleString("en")} characters`);
      return searched.isFound;
    },
    lengthAtStart: (text) => (isRuledOut(text) ? null : longestAtStart(engineOf().longest, text)),
  };
}

function containsAny(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true;
  return false;
}

/**
 * Length of the longest match at the beginning; of a text too long for this pattern, of one that is certain from the
 * text's first part, and null when none is: a rule that allows then does not.
 */
function longestAtStart(longest: RE2JS, text: string): number | null {
  const affordable = Math.floor(maxPrefixSteps / longest.programSize());
  const matcher = longest.matcher(text.slice(0, affordable));
  if (!matcher.lookingAt()) return null;
  const end = matcher.end();
  // A match up to the cut may owe it to the cut: the end of a part is not the end of the text.
  return text.length > affordable && end >= affordable ? null : end;
}

const advice: Record<string, string> = {
  "missing closing )": "close this parenthesis, or write \\( for one that stands for itself",
  "unexpected )": "nothing is open here; write \\) for a parenthesis that stands for itself",
  "missing closing ]": "close this bracket, or write \\[ for one that stands for itself",
  "missing argument to repetition operator":
    "there is nothing here to repeat; put something before it, or a backslash for the character itself",
  "invalid nested repetition operator": "use one repetition, or parentheses around the inner one",
  "invalid repeat count": "a repetition counts to 1000 at most, all counts together, and from the smaller to the larger",
  "invalid escape sequence": "this escape does not exist; write \\\\ for a backslash, and know that \\1 (back-references) is not available",
  "invalid or unsupported Perl syntax":
    "looking ahead and behind is not available; say what must match, and put exceptions into a rule of higher priority",
  "invalid character class range": "write a class that exists and a range from its lower to its higher end",
  "invalid named capture": "name a group like (?P<name>...); looking behind is not available",
  "duplicate capture group name": "give each group its own name",
  "trailing backslash at end of expression": "write \\\\ for a backslash",
};

function explain(source: string, error: unknown): PatternError {
  if (!(error instanceof RE2JSSyntaxException)) return { message: "The pattern is too large. Write a shorter one.", index: null };
  const what = error.getDescription();
  const index = indexOf(source, what, error.getPattern());
  const where = index === null ? "" : ` at character ${index + 1}: ${JSON.stringify(source.slice(index, index + 20))}`;
  return { message: `${what}${where}. To fix it: ${advice[what] ?? "write a shorter or simpler one, in the syntax of RE2"}.`, index };
}

function indexOf(source: string, what: string, fragment: string | null): number | null {
  if (what === "missing closing )" || what === "unexpected )") return unpairedParenthesis(source);
  if (what === "trailing backslash at end of expression") return source.length - 1;
  if (!fragment) return null;
  const at = source.indexOf(fragment);
  // Named twice, we cannot know which one is meant.
  return at === source.lastIndexOf(fragment) ? at : null;
}

/** Where a parenthesis stands that has no partner, past escapes and character classes. */
function unpairedParenthesis(source: string): number | null {
  const open: number[] = [];
  let classStart = -1;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (classStart >= 0) classStart = character === "]" && at > classStart + 1 ? -1 : classStart;
    else if (character === "[") classStart = source[at + 1] === "^" ? at + 1 : at;
    else if (character === "(") open.push(at);
    else if (character === ")" && open.pop() === undefined) return at;
  }
  return open.at(-1) ?? null;
}
