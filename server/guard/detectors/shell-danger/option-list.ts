/** Options of one program, ready to be looked for. */
export type OptionList = {
  letters: string;
  long: readonly string[];
  words: ReadonlySet<string>;
  prefixes: readonly string[];
  any: boolean;
};

/**
 * Reads a list of options: `-x` a letter, also in a cluster or with its value attached; `--long`, also shortened as GNU
 * allows; `-word` an option of one dash; `word` or `word*` an argument or its beginning; `@` any use of the program.
 */
export function optionList(text: string): OptionList {
  const specs = text.split(" ");
  const words = specs.filter((spec) => /^(-\w[\w-]+|[a-z][^*]*)$/.test(spec));
  return {
    letters: specs.flatMap((spec) => (/^-\w$/.test(spec) ? [spec.charAt(1)] : [])).join(""),
    long: specs.filter((spec) => spec.startsWith("--")),
    words: new Set(words),
    prefixes: [
      ...specs.flatMap((spec) => (spec.endsWith("*") ? [spec.slice(0, -1)] : [])),
      ...words.flatMap((word) => (word.startsWith("-") ? [`${word}=`] : [])),
    ],
    any: specs.includes("@"),
  };
}

/** The first argument that is one of the options; null when none is. */
export function optionAmong(args: readonly string[], list: OptionList): string | null {
  for (const word of args) {
    if (word === "--") return null;
    if (isOneOf(word, list)) return word;
  }
  return list.any ? "" : null;
}

function isOneOf(word: string, { letters, long, words, prefixes }: OptionList): boolean {
  if (words.has(word) || prefixes.some((prefix) => word.startsWith(prefix))) return true;
  if (word.startsWith("--")) return word.length > 3 && long.some((option) => isShortFor(word, option));
  return letters !== "" && /^-\w/.test(word) && hasLetter(word, letters);
}

/** GNU programs take every beginning of a long option that says which one is meant; a guess of 5 characters is safe. */
function isShortFor(word: string, option: string): boolean {
  const end = word.indexOf("=");
  const name = end < 0 ? word : word.slice(0, end);
  return name === option || (name.length >= 5 && option.startsWith(name));
}

function hasLetter(word: string, letters: string): boolean {
  for (let at = 1; at < word.length && at < 12; at += 1) {
    const character = word.charAt(at);
    if (letters.includes(character)) return true;
    // What follows anything but a letter is a value.
    if (!/[A-Za-z0-9]/.test(character)) return false;
  }
  return false;
}
