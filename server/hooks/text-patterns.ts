import { RE2JS } from "re2js";

/**
 * Characters of one text that a pattern is tried on: at this length the slowest pattern takes a fifth of a second. What is
 * longer is cut, not let through unseen.
 */
export const longestText = 200_000;

/** RE2 syntax, linear time. @throws Error for a pattern that cannot be used. */
export function textPattern(source: string): RE2JS {
  return RE2JS.compile(source);
}

/** The text with every match replaced; in the replacement nothing has a meaning. */
export function replacedIn(text: string, pattern: RE2JS, replacement: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}\n[cut: too long to be looked through]` : text;
  return pattern.matcher(shown).replaceAll(RE2JS.quoteReplacement(replacement));
}
