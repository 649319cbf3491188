/**
 * Returns whether a word is a long option, `--output` or `--output=x`, also when shortened: GNU programs accept every
 * unambiguous beginning.
 */
export function isLongOption(word: string, option: string): boolean {
  const end = word.indexOf("=");
  const name = end < 0 ? word : word.slice(0, end);
  return name.length > 2 && option.startsWith("--") && option.startsWith(name);
}

/** Returns the values of options written as `-c value`, `-cvalue`, `-xc value`, `--command=value` or `--command value`. */
export function optionValues(args: readonly string[], options: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    if (!word.startsWith("-")) return [];
    for (const option of options) {
      const attached = option.startsWith("--") ? valueOfLong(word, option) : valueOfLetter(word, option.charAt(1));
      if (attached !== null) return attached === "" ? args.slice(index + 1, index + 2) : [attached];
    }
    return [];
  });
}

/** Returns the value of a long option; null for another option, and an empty text when the value is the next word. */
function valueOfLong(word: string, option: string): string | null {
  if (!isLongOption(word, option)) return null;
  const end = word.indexOf("=");
  return end < 0 ? "" : word.slice(end + 1);
}

function valueOfLetter(word: string, letter: string): string | null {
  const at = word.indexOf(letter, 1);
  // In a cluster of short options such as `-qc`, only letters stand before the option.
  return at > 0 && /^[a-zA-Z]*$/.test(word.slice(1, at)) ? word.slice(at + 1) : null;
}
