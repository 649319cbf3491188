/** Invisible characters: controls, format characters (bidirectional overrides, zero width, tags), private use, unassigned. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const keptLayout = /[\n\t]/;

/**
 * Cleans untrusted text for people, models and storage: removes invisible characters (a description may hide instructions
 * in them), keeps line ends and tabs, and cuts the text at `maxCharacters`.
 */
export function cleanText(text: string, maxCharacters: number): string {
  const cleaned = text
    .slice(0, maxCharacters * 4)
    .replace(/\r\n?/g, "\n")
    .replace(invisible, (character) => (keptLayout.test(character) ? character : ""))
    .trim();
  return cleaned.length > maxCharacters ? `${cleaned.slice(0, maxCharacters - 1).toWellFormed()}…` : cleaned;
}

/** Cleans untrusted text like `cleanText` and puts the text on one line. */
export function cleanLine(text: string, maxCharacters: number): string {
  return cleanText(text.slice(0, maxCharacters * 4).replace(/\s+/g, " "), maxCharacters);
}

/** Reduces text to its letters and digits in lower case, so that two texts compare equal that a person reads alike. */
export function comparableText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(invisible, (character) => (keptLayout.test(character) ? " " : ""))
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/** Terminal colours and cursor movements, which programs write to their error stream. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with a control character
const escapeSequence = /\u001b(?:\[[0-9;?]{0,20}[ -/]?[@-~]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[@-Z\\^_])/g;

export function withoutEscapeSequences(text: string): string {
  return text.replace(escapeSequence, "");
}

/** Replaces only the characters that Postgres cannot store: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.includes("\u0000") || !text.isWellFormed() ? text.replaceAll("\u0000", "\ufffd").toWellFormed() : text;
}
