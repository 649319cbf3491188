/**
 * Whether a word is a long option, `--expression` or `--expression=x`, however much it is shortened: GNU programs take every
 * beginning that can only mean one option, and which beginnings these are depends on options that nobody here knows. So each
 * of them counts.
 */
export function isLongOption(word: string, option: string): boolean {
  const end = word.indexOf("=");
  const name = end < 0 ? word : word.slice(0, end);
  return name.length > 2 && option.startsWith("--") && option.startsWith(name);
}

/** The value that stands in the word of a long option; null when it is the word after it. */
export function attachedValue(word: string): string | null {
  const end = word.indexOf("=");
  return end < 0 ? null : word.slice(end + 1);
}
