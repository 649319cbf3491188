const flagIgnoreCase = /^\(\?i\)/;
/** Pattern suffixes after a word, so that `ls` does not match `lsof`: a boundary, a space, or the end. */
const wordEnd = /^(?:\\b|\\s\+?|\(\?: \|\$\)|\( \|\$\)|\(\?:\\s\|\$\)|\(\\s\|\$\)|\[ \]| )$/;

/** Describes a simple pattern in words (`^(ls|cat)\b`, `\.md$`, `^git push`); null for any other pattern. */
export function describePattern(pattern: string): string | null {
  const ignoresCase = flagIgnoreCase.test(pattern);
  let rest = pattern.replace(flagIgnoreCase, "");
  const fromStart = rest.startsWith("^");
  if (fromStart) rest = rest.slice(1);
  const toEnd = rest.endsWith("$") && !rest.endsWith("\\$") && !rest.endsWith("|$)");
  if (toEnd) rest = rest.slice(0, -1);

  const words = alternatives(rest, fromStart);
  if (!words) return null;
  const verb = fromStart && toEnd ? "is" : fromStart ? "starts with" : toEnd ? "ends with" : "contains";
  return `${verb} ${orList(words)}${ignoresCase ? ", in upper or lower case" : ""}`;
}

/** Returns the texts that a group of literals matches, such as `git (push|pull)\b`; null for anything more complex. */
function alternatives(body: string, mayEndWord: boolean): string[] | null {
  const group = /^((?:[^()\\]|\\.)*)\((?:\?:)?((?:[^()\\]|\\.)*)\)(.*)$/s.exec(body);
  if (group) {
    const [, before = "", inside = "", after = ""] = group;
    if (after !== "" && !(mayEndWord && wordEnd.test(after))) return null;
    const start = literal(before);
    const ends = inside.split("|").map(literal);
    if (start === null || ends.some((end) => end === null || end === "")) return null;
    return ends.map((end) => `${start}${end}`);
  }
  const ending = mayEndWord ? /^(.+?)(\\b|\\s\+?)$/s.exec(body) : null;
  const text = literal(ending?.[1] ?? body);
  return text ? [text] : null;
}

/** Returns the text of a pattern without operators. */
function literal(pattern: string): string | null {
  let text = "";
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === "\\") {
      const escaped = pattern.charAt(index + 1);
      // A backslash before a letter or digit is a class (\d) or a control character (\n), not the letter itself.
      if (escaped === "" || /[A-Za-z0-9]/.test(escaped)) return null;
      text += escaped;
      index += 1;
    } else if (/[.*+?()[\]{}|^$]/.test(character)) return null;
    else text += character;
  }
  return text;
}

/** "a", "a or b", "a, b or c". */
export function orList(words: readonly string[]): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
