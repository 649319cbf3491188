import { RE2JS, RE2JSSyntaxException } from "re2js";
import { boundedSearch } from "./bounded-search";
import { sizeMistake } from "./pattern-size";
import { plainPattern } from "./plain-pattern";
import { foldCase, type RequiredTexts, requiredTexts } from "./required-texts";

/** A rule's pattern in RE2 syntax, searched anywhere in a text, in time linear in the text's length. */
export type ArgumentPattern = {
  source: string;
  /** Texts, at least one of them contained in every text that the pattern matches; null when no such texts are known. */
  required: RequiredTexts | null;
  /** Returns whether the required texts rule out a match. A few characters decide this for most patterns on most texts. */
  isRuledOut: (text: string) => boolean;
  /**
   * Searches the text.
   * @throws Error with a sentence for people when the search would take too long
   */
  isFoundIn: (text: string) => boolean;
  /** Returns the length of the longest match at the text's first character; null without a match there. */
  lengthAtStart: (text: string) => number | null;
};

export type PatternError = {
  /** A sentence that says what is wrong and what to write instead. */
  message: string;
  /** The mistake's position, counted from 0; null when the pattern is wrong as a whole. */
  index: number | null;
};

export type CompiledPattern =
  | {
      ok: true;
      pattern: ArgumentPattern;
      /** Number of instructions; absent when the pattern is compiled lazily. */
      size?: number;
    }
  | { ok: false; error: PatternError };

/**
 * Compiles a pattern.
 * @returns the pattern; or the mistake and its position when the pattern cannot be used
 */
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
 * Compiles a saved rule's pattern. When the required texts prove that the pattern is valid, the engine is built only
 * for a text that may match, so a policy of thousands of patterns is ready at once.
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

/** Cache across policies, because each policy change compiles all rules again. */
const remembered = new Map<string, RequiredTexts | null>();
const maxRemembered = 50_000;

function rememberedTexts(source: string): RequiredTexts | null {
  const known = remembered.get(source);
  if (known !== undefined) return known;
  if (remembered.size >= maxRemembered) remembered.clear();
  const texts = requiredTexts(source);
  remembered.set(source, texts);
  return texts;
}

type Engine = { anywhere: RE2JS; longest: RE2JS };

function engine(source: string): Engine {
  // The longest match is needed because `^(ls|lsof)` has to cover all of `lsof`, in any order of the alternatives.
  return { anywhere: RE2JS.compile(source), longest: RE2JS.compile(source, RE2JS.LONGEST_MATCH) };
}

/** Up to this product of instructions and characters, a search runs without a budget, because the search is short anyway. */
const uncountedSteps = 40_000;
/** Budget of a longer search: a few milliseconds of work. */
const maxSearchWork = 15_000;
/** Limit for the slower search for the longest match at the beginning, as instructions times characters. */
const maxPrefixSteps = 60_000;

function patternOf(source: string, made: Engine | (() => Engine), required: RequiredTexts | null): ArgumentPattern {
  const engineOf = typeof made === "function" ? made : () => made;
  const isRuledOut = (text: string) => required !== null && !containsAny(required.isFolded ? folded(text) : text, required.texts);
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

/** Cache of one: many patterns are tried on the same text, one after the other. */
let latest = { text: "", folded: "" };

function folded(text: string): string {
  if (latest.text !== text) latest = { text, folded: foldCase(text) };
  return latest.folded;
}

function containsAny(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true;
  return false;
}

/**
 * Returns the length of the longest match at the beginning. When the text is too long for the pattern's size, only the
 * text's first part is searched; a match that reaches the part's end counts as none (null), so that an allow rule does
 * not match.
 */
function longestAtStart(longest: RE2JS, text: string): number | null {
  const affordable = Math.floor(maxPrefixSteps / longest.programSize());
  const matcher = longest.matcher(text.slice(0, affordable));
  if (!matcher.lookingAt()) return null;
  const end = matcher.end();
  // The end of the part is not the end of the text, so a match that reaches the cut may exist only because of the cut.
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
  // The fragment occurs twice, so the position of the mistake is ambiguous.
  return at === source.lastIndexOf(fragment) ? at : null;
}

/** Returns the position of an unpaired parenthesis, skipping escapes and character classes. */
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
