/** Characters of a pattern that stand for themselves, and escaped ones that do. A class such as `\d` is none. */
const literal = /[^.*+?()[\]{}|^$\\]|\\[^A-Za-z0-9]/y;

/** The literal characters after the anchor of a pattern, and the pattern behind them. */
type SplitPattern = { text: string; rest: string };

/** Splits a pattern behind its literal start; null when it is not anchored or begins with one of several alternatives. */
export function splitLiteral(source: string): SplitPattern | null {
  if (!source.startsWith("^") || hasTopAlternative(source)) return null;
  let text = "";
  let at = 1;
  for (;;) {
    literal.lastIndex = at;
    const found = literal.exec(source)?.[0];
    if (found === undefined) return { text, rest: source.slice(at) };
    at += found.length;
    text += found.at(-1);
  }
}

/** Returns the text that every match has. The character before a quantifier may be absent. */
export const certainText = ({ text, rest }: SplitPattern): string => (/^[*?{]/.test(rest) ? text.slice(0, -1) : text);

/**
 * Returns the text with which every match of a pattern begins, at the beginning of the text that is searched: `git` for
 * `^git\s+log`. Empty when the pattern is not anchored or begins with something else.
 */
export function literalStart(source: string): string {
  const split = splitLiteral(source);
  return split ? certainText(split) : "";
}

/** Returns whether the pattern is an alternative of several at its top level: `^a|b`. */
function hasTopAlternative(source: string): boolean {
  let depth = 0;
  let isClass = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (isClass) isClass = character !== "]";
    else if (character === "[") isClass = true;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "|" && depth === 0) return true;
  }
  return false;
}

/** Returns whether a text with this beginning may match a pattern, as far as the pattern's literal start says. */
export function mayBegin(source: string, beginning: string): boolean {
  const start = literalStart(source);
  return start.startsWith(beginning) || beginning.startsWith(start);
}
