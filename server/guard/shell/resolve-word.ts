import { type ParameterExpansionPart, type ParsedScript, parse, type Word, type WordPart } from "unbash";
import { expandBraces } from "./expand-braces";

/** Stands where a value is only known when the command runs. */
export const unknownValue = "\uE000";
/** Where an unquoted expansion is split into words. */
const wordBreak = "\uE001";
/** Stands for the home folder, whoever's it is. */
export const homeFolder = "/~";

const maxValueChars = 2_000;
const maxExpandedChars = 200_000;
/** Substitutions inside substitutions are looked into so far. */
const maxDepth = 3;

/** What variables hold at a point of a script, as far as the script itself says. */
export class Variables {
  private readonly values = new Map<string, string>();
  // `x=$x$x` doubles at each step: there is an end to what expansions may yield.
  private charsLeft = maxExpandedChars;

  get(name: string): string | null {
    return this.values.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.values.set(name, value.length > maxValueChars ? unknownValue : value);
  }

  /** The text of an expansion, or nothing known of it when expansions have yielded too much already. */
  spend(text: string): string {
    this.charsLeft -= text.length;
    return this.charsLeft < 0 ? unknownValue : text;
  }
}

/** What a `sh -c` knows before the script begins: no arguments, a home, and white space between fields. */
export function firstVariables(): Variables {
  const nothing = ["@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9"].map((name) => [name, ""] as const);
  const variables = new Variables();
  for (const [name, value] of [["HOME", homeFolder], ["IFS", " "], ["PWD", "."], ["0", "sh"], ...nothing] as const)
    variables.set(name, value);
  return variables;
}

/** The words that one word becomes: without quotes, with expansions as far as they are known, braces spelled out. */
export function resolveWord(word: Word, variables: Variables): string[] {
  return wordsFrom(word, variables, 0);
}

function wordsFrom(word: Word, variables: Variables, depth: number): string[] {
  if (!word.parts) return [withHome(word, word.value)];
  const text = word.parts.map((part) => textOfPart(part, { variables, depth, quoted: false })).join("");
  const fields = withHome(word, text)
    .split(wordBreak)
    .filter((field) => field !== "");
  return fields.length === 0 && word.parts.some(isQuoted) ? [""] : fields.flatMap(expandBraces);
}

/** One text for a whole word: a redirection's target, a value that is assigned. */
export function resolveText(word: Word, variables: Variables, depth = 0): string {
  const text = word.parts ? word.parts.map((part) => textOfPart(part, { variables, depth, quoted: true })).join("") : word.value;
  return withHome(word, text);
}

function withHome(word: Word, text: string): string {
  if (!word.text.startsWith("~")) return text;
  const [prefix] = /^~[\w-]*(?=\/|$)/.exec(word.text) ?? [];
  return prefix && text.startsWith(prefix) ? homeFolder + text.slice(prefix.length) : text;
}

function isQuoted({ type }: WordPart): boolean {
  return type === "SingleQuoted" || type === "DoubleQuoted" || type === "AnsiCQuoted" || type === "LocaleString";
}

type Place = { variables: Variables; depth: number; quoted: boolean };

function textOfPart(part: WordPart, place: Place): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((child) => textOfPart(child, { ...place, quoted: true })).join("");
    case "SimpleExpansion":
      return expanded(place.variables.get(part.text.slice(1)), place);
    case "ParameterExpansion":
      return expanded(textOfParameter(part, place), place);
    case "CommandExpansion":
    case "ProcessSubstitution":
      return expanded(place.depth < maxDepth && part.script ? printedBy(part.script, place) : null, place);
    case "ArithmeticExpansion":
    case "ExtendedGlob":
      return unknownValue;
    case "Glob":
      return part.text;
    case "BraceExpansion":
      return part.text.replace(/['"\\]/g, "");
  }
}

function expanded(value: string | null, { variables, quoted }: Place): string {
  const text = variables.spend(value ?? unknownValue);
  return quoted ? text : text.replace(/[ \t\n]+/g, wordBreak);
}

function textOfParameter({ parameter, prefix, operation }: ParameterExpansionPart, { variables, depth }: Place): string | null {
  const value = prefix ? null : variables.get(parameter);
  if (operation?.type !== "Default" || depth >= maxDepth) return value;
  const instead = resolveText(operation.operand, variables, depth + 1);
  if (operation.operator.endsWith("+")) return instead;
  // "${X:?}" has no other value to offer than X's own.
  return value ?? (operation.operator.endsWith("?") ? null : instead);
}

/** What a script prints when it is nothing but an echo or a printf of known text; null for any other script. */
function printedBy(script: ParsedScript, { variables, depth }: Place): string | null {
  const [statement, ...others] = script.commands;
  if (!statement || others.length > 0 || statement.command.type !== "Command") return null;
  const { name, args } = statement.command;
  if (!name) return null;
  const words = [name, ...args].flatMap((arg) => (arg.type === "Word" ? wordsFrom(arg, variables, depth + 1) : [arg.text]));
  return printedText(words);
}

/** What `echo` or `printf` with these words prints; null for any other command. */
export function printedText([name, ...words]: readonly string[]): string | null {
  if (name === "echo") return decodeEscapes(words.slice(words.findIndex((word) => !/^-[neE]+$/.test(word))).join(" "));
  if (name !== "printf") return null;
  const [format = "", ...values] = words.filter((word) => word !== "--");
  const rest = [...values];
  const filled = decodeEscapes(format).replace(/%[\d.-]*[sbqdc]/g, () => rest.shift() ?? "");
  return [filled, ...rest].join(" ");
}

/** Escapes as echo and printf know them, decoded the way `$'...'` is. */
function decodeEscapes(text: string): string {
  if (!text.includes("\\") || text.includes("'")) return text;
  const [statement] = parse(`$'${text}'`).commands;
  return statement?.command.type === "Command" ? (statement.command.name?.value ?? text) : text;
}
