import type { AndOr, CommandNode, ParameterExpansionPart, ParsedScript, PipelineNode, Word, WordPart } from "unbash";
import { valueOfArithmetic } from "./arithmetic";
import { expandBraces, hasOddBraces } from "./expand-braces";
import { tooMuch } from "./reading-budget";
import { printedText } from "./standard-output";
import type { Variables } from "./variables";

/** Stands where a value is only known when the command runs. */
export const unknownValue = "\uE000";
/** Where an unquoted expansion is split into words. */
export const wordBreak = "\uE001";
/** Stands for the home folder, whoever's it is. */
export const homeFolder = "/~";

/** The folder that a script begins in. */
export const here = ".";

/** A word with braces that is longer is not spelled out. */
const maxBracedChars = 2_000;
/** Substitutions inside substitutions are looked into so far. */
const maxDepth = 3;
const maxPiped = 8;

/** The words that one word becomes: without quotes, with expansions as far as they are known, braces spelled out. */
export function resolveWord(word: Word, variables: Variables): string[] {
  return wordsFrom(word, variables, 0);
}

function wordsFrom(word: Word, variables: Variables, depth: number): string[] {
  const { parts } = word;
  if (!parts) return hasOddBraces(word) ? [...spelledOut(withHome(word, word.value))] : [withHome(word, word.value)];
  const place = { variables, depth, quoted: false };
  let text = "";
  for (const part of parts) text += textOfPart(part, place);
  const whole = withHome(word, text);
  const pieces = parts.some(({ type }) => type === "BraceExpansion") || hasOddBraces(word) ? spelledOut(whole) : [whole];
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && only !== "" && !only.includes(wordBreak)) return [only];
  const fields = pieces.flatMap((piece) => piece.split(wordBreak)).filter((field) => field !== "");
  return fields.length === 0 && parts.some(isQuoted) ? [""] : fields;
}

/** Shells spell out braces before anything else: `{$X,~}` is `$X ~`. */
function spelledOut(text: string): string[] {
  if (text.length > maxBracedChars) throw tooMuch();
  return expandBraces(text).map((piece) => piece.replace(home, homeFolder));
}

const home = /^~[\w-]*(?=\/|$)/;

/** One text for a whole word: a redirection's target, a value that is assigned. */
export function resolveText(word: Word, variables: Variables, depth = 0): string {
  const text = word.parts ? word.parts.map((part) => textOfPart(part, { variables, depth, quoted: true })).join("") : word.value;
  return withHome(word, text).replaceAll(wordBreak, " ");
}

function withHome(word: Word, text: string): string {
  if (!word.text.startsWith("~")) return text;
  const [prefix] = home.exec(word.text) ?? [];
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
      return expanded(place.depth < maxDepth && part.script ? printedBy(part.script, place) : null, place);
    case "ProcessSubstitution":
      // It is the name of a file, so that what can be read there is one word.
      return expanded(place.depth < maxDepth && part.script ? printedBy(part.script, place) : null, { ...place, quoted: true });
    case "ArithmeticExpansion":
      return valueOfArithmetic(part.text) ?? unknownValue;
    case "ExtendedGlob":
      return unknownValue;
    case "Glob":
      return part.text;
    case "BraceExpansion":
      if (part.parts) return `{${part.parts.map((child) => textOfPart(child, place)).join("")}}`;
      return part.text.replace(/['"\\]/g, "");
  }
}

function expanded(value: string | null, { variables, quoted }: Place): string {
  const text = variables.spend(value ?? unknownValue);
  return quoted || !/[ \t\n]/.test(text) ? text : text.replace(/[ \t\n]+/g, wordBreak);
}

function textOfParameter({ parameter, prefix, index, operation }: ParameterExpansionPart, { variables, depth }: Place): string | null {
  const element = index && variables.get(`${parameter}[${index.value}]`);
  // What is no list is the first element of itself; which of a list's it is, nobody may know before it runs.
  const unnamed = !index || /^[0@*]$/.test(index.value) ? variables.get(parameter) : variables.get(`${parameter}[@]`);
  const value = prefix ? (prefix === "!" && !operation ? valueBehind(unnamed, variables) : null) : (element ?? unnamed);
  if (operation && value === here && mayCutEnd(operation)) return "..";
  if (operation?.type !== "Default" || depth >= maxDepth) return value;
  const instead = resolveText(operation.operand, variables, depth + 1);
  // With a colon, what is empty is not given; what a script is called with, nobody knows yet.
  const isMissing = value === null || (value === "" && operation.operator.startsWith(":") && !/^[\d@*]/.test(parameter));
  if (isMissing && operation.operator.endsWith("=")) variables.set(parameter, instead);
  if (operation.operator.endsWith("+")) return instead;
  // "${X:?}" has no other value to offer than X's own.
  if (!isMissing) return value;
  return operation.operator.endsWith("?") ? null : instead;
}

/** The value of the variable whose name another one holds: `${!name}`. */
function valueBehind(names: string | null, variables: Variables): string | null {
  if (names === null || names.length > maxNameChars) return null;
  const values = names.split(wordBreak).map((name) => (/^\w+(\[[\w@*]+\])?$/.test(name) ? variables.get(name) : null));
  return values.every((value) => value === null) ? null : values.map((value) => value ?? unknownValue).join(wordBreak);
}

const maxNameChars = 1_000;

/** Whether an operation on a path may leave a folder above: `${PWD%/*}`, `${PWD:0:5}`; what is cut off the front leaves a name. */
function mayCutEnd({ type, ...operation }: NonNullable<ParameterExpansionPart["operation"]>): boolean {
  if (type === "Remove") return "operator" in operation && String(operation.operator).startsWith("%");
  return type !== "Default" && !/^Case/.test(type);
}

/** What a script prints when it is nothing but an echo of known text, also through what decodes it; else null. */
function printedBy(script: ParsedScript, place: Place): string | null {
  const [statement, ...others] = script.commands;
  return statement && others.length === 0 ? printedByPipeline(statement.command, place) : null;
}

function printedByPipeline(node: AndOr | PipelineNode, place: Place): string | null {
  if (node.type !== "Pipeline") return printedByCommand(node, null, place);
  let printed: string | null = null;
  for (const [index, command] of node.commands.entries()) {
    if (index > maxPiped || (index > 0 && printed === null)) return null;
    printed = printedByCommand(command, printed, place);
  }
  return printed;
}

function printedByCommand(node: AndOr | CommandNode | PipelineNode, input: string | null, { variables, depth }: Place): string | null {
  if (node.type !== "Command" || !node.name) return null;
  const words = [node.name, ...node.args].flatMap((arg) => (arg.type === "Word" ? wordsFrom(arg, variables, depth + 1) : [arg.text]));
  return printedText(words, input);
}
