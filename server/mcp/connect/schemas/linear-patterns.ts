import { RE2JS } from "re2js";

/** A compiled pattern. `toString` returns the pattern's text, because Ajv treats patterns with equal text as one. */
type Pattern = { test: (text: string) => boolean; toString: () => string };

/**
 * Compiles a pattern of an untrusted schema so that matching takes linear time. A pattern that RE2 cannot express
 * (look-around, back-references) accepts every text here; the server checks its own pattern.
 * @throws SyntaxError when the pattern is no regular expression.
 */
export function linearPattern(pattern: string): Pattern {
  const told = { toString: () => pattern };
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { ...told, test: (text) => compiled.test(text) };
  } catch {
    // Only a syntax check: V8 compiles a pattern at its first match, and this pattern is never matched.
    new RegExp(pattern, "u");
    return { ...told, test: () => true };
  }
}
