/** The kind of text that a pattern sees; it decides where a word ends. */
export type PatternText = "command" | "path" | "host" | "url";

/** The text that follows a complete word. */
const closers: Record<PatternText, string> = {
  command: "(?: |$)",
  path: "(?:/|$)",
  host: "(?::\\d+)?$",
  url: "(?:[/?#]|$)",
};

/** Returns the pattern that matches exactly a text. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Returns the pattern of texts that begin with one of these words, and with no longer one: `^git log(?: |$)`. */
export function closedPattern(beginnings: readonly string[], text: PatternText): string {
  const [first = "", ...more] = [...new Set(beginnings)].map(escapePattern);
  return `^${more.length === 0 ? first : `(?:${[first, ...more].join("|")})`}${closers[text]}`;
}

export type OpenPattern = {
  /** The pattern that ends with its last word; null when no certain one is known. */
  closed: string | null;
};

/**
 * Returns whether a pattern matches more than it says, because it ends within a word: `^git log` is found in `git
 * logout`, `^docs` in `docs-of-others/x`, `api\.example\.com` in `api.example.com.evil.example`. Null for a pattern that
 * ends where a word ends.
 */
export function openPattern(pattern: string, text: PatternText): OpenPattern | null {
  const alternatives = splitAlternatives(pattern);
  if (alternatives === null) return null;
  const isUnanchored = text === "host" && alternatives.some((one) => !/^(?:\(\?[a-z]+\))?(?:\^|\(\?:\^|\\A)/.test(one));
  const ends = alternatives.map((one) => endOf(one, text));
  if (!isUnanchored && !ends.includes("open")) return null;
  // Behind a part that must go on, such as a space, the end would have to come twice.
  if (ends.includes("goes_on")) return { closed: null };
  const whole = alternatives.length > 1 ? `(?:${pattern})` : pattern;
  const body = alternatives.length > 1 ? whole : withoutBoundary(pattern);
  const start = isUnanchored ? `^${pattern.startsWith("^") ? body.slice(1) : body}` : body;
  return { closed: ends.every((end) => end === "closed") ? start : `${start}${closers[text]}` };
}

const withoutBoundary = (pattern: string): string =>
  pattern.endsWith("\\b") && !pattern.endsWith("\\\\b") ? pattern.slice(0, -2) : pattern;

/** `closed`: nothing can follow. `wide`: meant to match on. `goes_on`: more has to follow. `open`: ends within a word. */
type End = "closed" | "wide" | "goes_on" | "open";

/** Characters with which a word may go on. A path's or a host's dot is part of the name. */
const wordEnd: Record<PatternText, RegExp> = {
  command: /^[\p{L}\p{N}_-]$/u,
  path: /^[\p{L}\p{N}_.-]$/u,
  host: /^[\p{L}\p{N}_-]$/u,
  url: /^[\p{L}\p{N}_.:-]$/u,
};

function endOf(pattern: string, text: PatternText): End {
  const atoms = atomsOf(pattern);
  const last = atoms?.at(-1);
  if (!last) return "wide";
  const { source, quantifier } = last;
  if (source === "$" || source === "\\z") return "closed";
  if (source === "\\b") return "open";
  if (source === ".") return "wide";
  if (source.startsWith("(")) {
    const inner = splitAlternatives(
      source.slice(source.startsWith("(?") ? source.indexOf(source.startsWith("(?P<") ? ">" : ":") + 1 : 1, -1),
    );
    const ends = (inner ?? []).map((one) => (one === "" ? "wide" : endOf(one, text)));
    if (ends.length > 0 && ends.every((end) => end === "closed") && !/^[?*]/.test(quantifier)) return "closed";
    if (ends.includes("open")) return "open";
    const mayBeAbsent = /^[?*]/.test(quantifier) || (inner ?? []).includes("");
    return mayBeAbsent && atoms && atoms.length > 1
      ? endOf(
          atoms
            .slice(0, -1)
            .map((atom) => atom.source + atom.quantifier)
            .join(""),
          text,
        )
      : "wide";
  }
  if (source.startsWith("[")) return source.startsWith("[^") ? "wide" : /[A-Za-z0-9]|\\[wd]/.test(source) ? "open" : "wide";
  if (/^\\[wd]$/.test(source)) return "open";
  if (/^\\[SDW]$/.test(source)) return "wide";
  if (source === "\\s" || source === " ") return /^[*?]/.test(quantifier) ? "open" : "goes_on";
  const character = source.startsWith("\\") ? source.slice(1) : source;
  return wordEnd[text].test(character) ? "open" : text === "command" ? "goes_on" : "wide";
}

type Atom = { source: string; quantifier: string };

/** Splits a pattern without alternatives at its top level into its atoms; null for syntax that is not known here. */
function atomsOf(pattern: string): Atom[] | null {
  const atoms: Atom[] = [];
  for (let at = 0; at < pattern.length; ) {
    const end = endOfAtom(pattern, at);
    if (end === null) return null;
    const source = pattern.slice(at, end);
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(pattern.slice(end))?.[0] ?? "";
    atoms.push({ source, quantifier });
    at = end + quantifier.length;
  }
  return atoms;
}

function endOfAtom(pattern: string, at: number): number | null {
  const first = pattern.charAt(at);
  if (first === "\\") return at + 2 <= pattern.length ? at + 2 : null;
  if (first === "[") {
    let end = at + (pattern.charAt(at + 1) === "^" ? 2 : 1);
    if (pattern.charAt(end) === "]") end += 1;
    for (; end < pattern.length; end += pattern.charAt(end) === "\\" ? 2 : 1) if (pattern.charAt(end) === "]") return end + 1;
    return null;
  }
  if (first !== "(") return at + 1;
  let depth = 0;
  for (let end = at; end < pattern.length; ) {
    const character = pattern.charAt(end);
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === ")" && depth === 0) return end + 1;
    const next = character === "\\" || character === "[" ? endOfAtom(pattern, end) : end + 1;
    if (next === null) return null;
    end = next;
  }
  return null;
}

/** Splits a pattern at the `|` of its top level; null for syntax that is not known here. */
function splitAlternatives(pattern: string): string[] | null {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < pattern.length; ) {
    if (pattern.charAt(at) === "|") {
      parts.push(pattern.slice(from, at));
      at += 1;
      from = at;
      continue;
    }
    const end = endOfAtom(pattern, at);
    if (end === null) return null;
    at = end;
  }
  return [...parts, pattern.slice(from)];
}
