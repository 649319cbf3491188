import { type ShellWord, unknownPiece } from "../script/words";
import type { FixedEffect, GivenOption, OperandRole, ParsedWords, ProgramSpec } from "./program";

/** The options of a spec, indexed by name. */
type Options = {
  valued: ReadonlyMap<string, { role: OperandRole; does: readonly FixedEffect[] }>;
  flags: ReadonlyMap<string, readonly FixedEffect[]>;
  attached: ReadonlySet<string>;
  /** Long names, for options that are abbreviated. */
  long: readonly string[];
  /** The strongest effect of any option. */
  effect: "none" | "reads" | "acts";
};

const compiled = new WeakMap<ProgramSpec, Options>();

function readOptionTables(spec: ProgramSpec): Options {
  const known = compiled.get(spec);
  if (known) return known;
  const valued = new Map<string, { role: OperandRole; does: readonly FixedEffect[] }>();
  for (const [names, value] of Object.entries(spec.valued ?? {})) {
    for (const name of names.split(" ")) valued.set(name, typeof value === "string" ? { role: value, does: [] } : value);
  }
  const flags = new Map<string, readonly FixedEffect[]>();
  for (const [names, does] of Object.entries(spec.flags ?? {})) {
    for (const name of names.split(" ")) {
      flags.set(name, does);
      valued.delete(name);
    }
  }
  const long = [...valued.keys(), ...flags.keys()].filter((name) => name.startsWith("--"));
  const all = [...[...flags.values()].map((does) => ({ role: "text" as const, does })), ...valued.values()];
  const acts = all.some(({ role, does }) => does.some(({ kind }) => kind) || !/^(?:text|reads|lists|file_list|configures)$/.test(role));
  const reads = all.some(({ role }) => role !== "text");
  // An additional option shifts the command that the program runs, so every option of such a program acts.
  const decides = spec.actsByOptions || spec.optionsFirst || spec.operands?.includes("command");
  const attached = new Set(spec.attached?.split(" "));
  const options: Options = { valued, flags, long, attached, effect: acts || decides ? "acts" : reads ? "reads" : "none" };
  compiled.set(spec, options);
  return options;
}

/**
 * Splits a command's words, without its name, into options and operands as getopt_long does: clusters of letters,
 * attached and following values, abbreviated long options, and `--`.
 */
export function parseWords(words: readonly ShellWord[], spec: ProgramSpec): ParsedWords {
  const { valued, flags, long, attached, effect } = readOptionTables(spec);
  const options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  let mayBeOption: ParsedWords["mayBeOption"] = null;
  const stopsAtOperand = spec.optionsFirst || spec.subcommands !== undefined || spec.operands?.includes("command") === true;

  const lastOption = spec.lastOption?.split(" ");

  const doubt = (word: ShellWord) => {
    if (effect !== "none") mayBeOption ??= { word, onlyReads: effect === "reads" };
  };

  const give = (name: string, word: ShellWord, value: ShellWord | null) => {
    const withValue = valued.get(name);
    if (value && splits(value)) doubt(value);
    options.push({ name, word, value, role: withValue?.role ?? null, does: withValue?.does ?? flags.get(name) ?? [] });
  };

  for (let at = 0; ; at += 1) {
    const word = words[at];
    if (!word) break;
    const { value } = word;
    if (value === "--" && word.certainty === "literal") {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!isOption(value, spec) || mayBecomeOption(word)) {
      if (mayBecomeOption(word)) doubt(word);
      operands.push(word);
      if (stopsAtOperand && operands.length >= operandsBeforeCommand(spec)) {
        operands.push(...words.slice(at + 1));
        break;
      }
    } else if (value.startsWith("--") || spec.wordOptions) {
      const end = value.indexOf("=");
      const name = nameOf(end > 0 ? value.slice(0, end) : value);
      if (!valued.has(name)) give(name, word, null);
      else if (end > 0) give(name, word, part(word, value.slice(end + 1)));
      else {
        at += 1;
        give(name, word, words[at] ?? null);
      }
    } else at = takeLetters(word, words, at);
    if (lastOption?.includes(String(options.at(-1)?.name))) {
      operands.push(...words.slice(at + 1));
      break;
    }
  }
  return { options, operands, mayBeOption };

  /** Finds an option's full name: a long option may be abbreviated, and a whole-word option may have two dashes. */
  function nameOf(given: string): string {
    const isKnown = (name: string) => valued.has(name) || flags.has(name);
    if (isKnown(given)) return given;
    if (spec.wordOptions && isKnown(given.slice(1))) return given.slice(1);
    return long.find((option) => given.length > 2 && option.startsWith(given)) ?? given;
  }

  /** Reads a cluster such as `-xzf file`: the first letter with a value takes the rest of the word, or the next word. */
  function takeLetters(word: ShellWord, all: readonly ShellWord[], at: number): number {
    // Some programs mix letters with single-dash options of several letters.
    if (valued.has(word.value) && word.value.length > 2) {
      give(word.value, word, all[at + 1] ?? null);
      return at + 1;
    }
    if (flags.has(word.value)) {
      give(word.value, word, null);
      return at;
    }
    for (let letter = 1; letter < word.value.length; letter += 1) {
      const name = `-${word.value.charAt(letter)}`;
      if (attached.has(name)) {
        const rest = word.value.slice(letter + 1);
        give(name, word, rest === "" ? null : part(word, rest));
        return at;
      }
      if (!valued.has(name)) {
        give(name, word, null);
        continue;
      }
      const rest = word.value.slice(letter + 1);
      give(name, word, rest === "" ? (all[at + 1] ?? null) : part(word, rest.replace(/^=/, "")));
      return rest === "" ? at + 1 : at;
    }
    return at;
  }
}

/** Returns the number of operands up to a command that the program runs: `timeout` has a duration before it. */
function operandsBeforeCommand({ operands = [], subcommands }: ProgramSpec): number {
  const at = operands.indexOf("command");
  return subcommands || at < 0 ? 1 : at + 1;
}

function isOption(value: string, { wordOptions }: ProgramSpec): boolean {
  return value.length > 1 && (value.startsWith("-") || (wordOptions === true && value === "!"));
}

/** Returns whether a word may become an option: a glob may match a file with such a name, and a variable may hold an option. */
function mayBecomeOption({ certainty, text, value }: ShellWord): boolean {
  if (certainty === "literal") return false;
  return certainty === "unknown" ? value.startsWith(unknownPiece) || splits({ text, value, certainty }) : /^[-*?[]/.test(value);
}

/** Returns whether a word may become several: an unquoted variable splits, and so does `"$@"` in spite of its quotes. */
function splits({ text, certainty }: Pick<ShellWord, "text" | "value" | "certainty">): boolean {
  return certainty === "unknown" && (!/^(?:[\w./=,:@%+-]|"(?:[^"\\]|\\.)*"|'[^']*')+$/s.test(text) || /\$\{?[@*!]|\[[@*]\]/.test(text));
}

function part(word: ShellWord, value: string): ShellWord {
  return { ...word, value, certainty: value.includes(unknownPiece) ? "unknown" : word.certainty };
}
