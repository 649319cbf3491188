const scripts =
  "Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Tibetan Arabic Hebrew";
const letters = scripts
  .split(" ")
  .map((script) => `\\p{Script=${script}}`)
  .join("");
// Numbers of glyphs begin behind those of basic letters.
const numbers = "\\u0100-\\u024f\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Armenian}";
const mixedWord = new RegExp(`[${letters}]\\p{M}*[${numbers}]|[${numbers}][${letters}]`, "gu");
const fewest = 3;

/**
 * Says whether a page has glyphs whose font does not name their letters. pdf.js shows such a glyph as the sign that has the
 * glyph's number, which is one of another script in the middle of a word.
 */
export const hasUnnamedGlyphs = (text: string): boolean => (text.match(mixedWord)?.length ?? 0) >= fewest;
