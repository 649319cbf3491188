/** Characters of a pattern that stand for themselves, and escaped ones that do. */
const literal = /[A-Za-z0-9_ /:;,@%#=<>!~"'&`-]|\\[^A-Za-z0-9]/y;

/**
 * Returns the text with which every match of a pattern begins, at the beginning of the text that is searched: `git` for
 * `^git\s+log`. Empty when the pattern is not anchored or begins with something else.
 */
export function literalStart(source: string): string {
  if (!source.startsWith("^") || hasTopAlternative(source)) return "";
  let text = "";
  let at = 1;
  for (;;) {
    literal.lastIndex = at;
    const found = literal.exec(source)?.[0];
    if (found === undefined) break;
    at += found.length;
    text += found.at(-1);
  }
  // A character before a quantifier may be absent.
  return /[*?{]/.test(source.charAt(at)) ? text.slice(0, -1) : text;
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
