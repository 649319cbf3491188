import { RE2JS } from "re2js";

/**
 * Characters of one text that a pattern is tried on: at this length the slowest pattern takes a fifth of a second. What is
 * longer is cut, not let through unseen.
 */
export const longestText = 200_000;

/** Characters of all texts of one value together, for the same reason. */
export const mostText = 1_000_000;

/** RE2 syntax, linear time. @throws Error for a pattern that cannot be used. */
export function textPattern(source: string): RE2JS {
  return RE2JS.compile(source);
}

const cutMark = "[cut: too long to be looked through]";

/** Makes a function that replaces every match in the texts of one value; in the replacement nothing has a meaning. */
export function replacing(pattern: RE2JS, replacement: string): (text: string) => string {
  let room = mostText;
  return (text) => {
    const length = Math.min(text.length, longestText, room);
    room -= length;
    const looked = pattern.matcher(text.slice(0, length)).replaceAll(RE2JS.quoteReplacement(replacement));
    return length < text.length ? `${looked}\n${cutMark}` : looked;
  };
}
