import { type ShellWord, unknownPiece } from "../script/words";
import type { FixedEffect, GivenOption, OperandRole, OptionMeaning, ParsedWords, ProgramSpec } from "./program";

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
    for (const name of names.split(" ")) valued.set(name, meaningOf(value));
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

export function meaningOf(meaning: OptionMeaning): { role: OperandRole; does: readonly FixedEffect[] } {
  if (typeof meaning === "string") return { role: meaning, does: [] };
  return "role" in meaning ? meaning : { role: "text", does: [meaning] };
}

/**
 * Splits a command's words, without its name, into options and operands as getopt_long does: clusters of letters,
 * attached and following values, abbreviated long options, and `--`.
 */
export function parseWords(words: readonly ShellWord[], spec: ProgramSpec): ParsedWords {
  const { options, operands, mayBeOption } = new WordParser(words, spec).parse();
  return { options, operands, mayBeOption };
}

class WordParser {
  readonly options: GivenOption[] = [];
  readonly operands: ShellWord[] = [];
  mayBeOption: ParsedWords["mayBeOption"] = null;
  private readonly known: Options;

  constructor(
    private readonly words: readonly ShellWord[],
    private readonly spec: ProgramSpec,
  ) {
    this.known = readOptionTables(spec);
  }

  parse(): this {
    const { words, spec, operands } = this;
    const stopsAtOperand = spec.optionsFirst || spec.subcommands !== undefined || spec.operands?.includes("command") === true;
    const lastOption = spec.lastOption?.split(" ");
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (!word) break;
      let isLast = word.value === "--" && word.certainty === "literal";
      if (!isLast && (!isOption(word.value, spec) || mayBecomeOption(word))) {
        if (mayBecomeOption(word)) this.doubt(word);
        operands.push(word);
        isLast = stopsAtOperand && operands.length >= operandsBeforeCommand(spec);
      } else if (!isLast) {
        at = word.value.startsWith("--") || spec.wordOptions ? this.takeWord(word, at) : this.takeLetters(word, at);
      }
      if (isLast || lastOption?.includes(String(this.options.at(-1)?.name))) {
        operands.push(...words.slice(at + 1));
        break;
      }
    }
    return this;
  }

  private doubt(word: ShellWord): void {
    if (this.known.effect !== "none") this.mayBeOption ??= { word, onlyReads: this.known.effect === "reads" };
  }

  private give(name: string, word: ShellWord, value: ShellWord | null): void {
    const withValue = this.known.valued.get(name);
    if (value && splits(value)) this.doubt(value);
    this.options.push({ name, word, value, role: withValue?.role ?? null, does: withValue?.does ?? this.known.flags.get(name) ?? [] });
  }

  /** Finds an option's full name: a long option may be abbreviated, and a whole-word option may have two dashes. */
  private nameOf(given: string): string {
    const { valued, flags, long } = this.known;
    const isKnown = (name: string) => valued.has(name) || flags.has(name);
    if (isKnown(given)) return given;
    if (this.spec.wordOptions && isKnown(given.slice(1))) return given.slice(1);
    return long.find((option) => given.length > 2 && option.startsWith(given)) ?? given;
  }

  /**
   * Reads an option that is a whole word, such as `--output=x`.
   * @returns the index of the last word read
   */
  private takeWord(word: ShellWord, at: number): number {
    const end = word.value.indexOf("=");
    const name = this.nameOf(end > 0 ? word.value.slice(0, end) : word.value);
    const followed = this.known.valued.has(name) && end <= 0;
    if (followed) this.give(name, word, this.words[at + 1] ?? null);
    else this.give(name, word, this.known.valued.has(name) ? part(word, word.value.slice(end + 1)) : null);
    return followed ? at + 1 : at;
  }

  /**
   * Reads a cluster such as `-xzf file`: the first letter with a value takes the rest of the word, or the next word.
   * @returns the index of the last word read
   */
  private takeLetters(word: ShellWord, at: number): number {
    const { valued, flags, attached } = this.known;
    const next = this.words[at + 1] ?? null;
    // Some programs mix letters with single-dash options of several letters.
    if (valued.has(word.value) && word.value.length > 2) {
      this.give(word.value, word, next);
      return at + 1;
    }
    if (flags.has(word.value)) {
      this.give(word.value, word, null);
      return at;
    }
    for (let letter = 1; letter < word.value.length; letter += 1) {
      const name = `-${word.value.charAt(letter)}`;
      const rest = word.value.slice(letter + 1);
      if (attached.has(name)) {
        this.give(name, word, rest === "" ? null : part(word, rest));
        return at;
      }
      if (valued.has(name)) {
        this.give(name, word, rest === "" ? next : part(word, rest.replace(/^=/, "")));
        return rest === "" ? at + 1 : at;
      }
      this.give(name, word, null);
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
