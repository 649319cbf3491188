import { isLongOption } from "../../shell/long-option";

/** Options of one program, ready to be looked for. */
export type OptionList = {
  letters: string;
  long: readonly string[];
  words: ReadonlySet<string>;
  /** Words of one dash that some programs let be shortened, as others do `--long`. */
  dashed: readonly string[];
  prefixes: readonly string[];
  /** Options that are whole, although one of the list begins with them. */
  whole: ReadonlySet<string>;
  any: boolean;
};

/**
 * Reads a list of options: `-x` a letter, also in a cluster or with its value attached; `--long`, also shortened as GNU
 * allows; `-word` an option of one dash; `word` or `word*` an argument or its beginning; `!--word` a harmless option with
 * which another one begins; `@` any use of the program.
 */
export function optionList(text: string): OptionList {
  const specs = text.split(" ");
  const words = specs.filter((spec) => /^(-\w[\w-]+|[a-z][^*]*)$/.test(spec));
  return {
    letters: specs.flatMap((spec) => (/^-\w$/.test(spec) ? [spec.charAt(1)] : [])).join(""),
    long: specs.filter((spec) => spec.startsWith("--")),
    words: new Set(words),
    dashed: words.filter((word) => word.startsWith("-")),
    prefixes: specs.flatMap((spec) => (spec.endsWith("*") ? [spec.slice(0, -1)] : [])),
    whole: new Set(specs.flatMap((spec) => (spec.startsWith("!") ? [spec.slice(1)] : []))),
    any: specs.includes("@"),
  };
}

/** The first argument that is one of the options; null when none is. */
export function optionAmong(args: readonly string[], list: OptionList): string | null {
  let ended = false;
  for (const [at, word] of args.entries()) {
    if (!ended && word === "--") {
      if (list.long.includes(word)) return word;
      // After an option, `--` may be its value, and options go on.
      ended = !(args[at - 1] ?? "").startsWith("-");
    } else if (ended ? isOperand(word, list) : isOneOf(word, list)) return word;
  }
  return list.any ? "" : null;
}

/** `SHELL=x` sets a variable of make wherever it stands. */
function isOperand(word: string, { prefixes }: OptionList): boolean {
  return !word.startsWith("-") && prefixes.some((prefix) => word.startsWith(prefix));
}

function isOneOf(word: string, { letters, long, words, dashed, prefixes, whole }: OptionList): boolean {
  if (words.has(word) || prefixes.some((prefix) => word.startsWith(prefix))) return true;
  if (!word.startsWith("-") || whole.has(nameOf(word))) return false;
  if (word.startsWith("--")) return long.some((option) => isLongOption(word, option)) || isShortFor(word.slice(1), dashed);
  return isShortFor(word, dashed) || (letters !== "" && hasLetter(word, letters));
}

function nameOf(word: string): string {
  const end = word.indexOf("=");
  return end < 0 ? word : word.slice(0, end);
}

/** `-shell-esc` is `-shell-escape`; two characters are a letter of its own. */
function isShortFor(word: string, dashed: readonly string[]): boolean {
  if (dashed.length === 0) return false;
  const name = nameOf(word);
  return name.length > 2 && dashed.some((option) => option.startsWith(name));
}

function hasLetter(word: string, letters: string): boolean {
  for (let at = 1; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (letters.includes(character)) return true;
    // What follows anything but a letter is a value.
    if (!/[A-Za-z0-9]/.test(character)) return false;
  }
  return false;
}
