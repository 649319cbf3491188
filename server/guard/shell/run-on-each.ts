import { attachedValue, isLongOption } from "./long-option";
import { tooMuch } from "./reading-budget";
import { unknownValue } from "./resolve-word";

/** Items that are looked at one by one; all others are put in one place, together. */
const maxItems = 32;
const maxPlacedChars = 64_000;

/**
 * The commands that xargs makes of what it reads.
 * @param input null where that is not known; a name that is only known when it runs is not known here
 */
export function commandsOfXargs(options: readonly string[], command: readonly string[], input: string | null): (readonly string[])[] {
  const found = readOptions(options);
  if (found.file === null) return commandsFor(found, command, input);
  // `-a <(echo text)`: the word is what the substitution prints. Of a file, only its name is known.
  const unread = commandsFor(found, command, null);
  const read = commandsFor(found, command, found.file);
  return [...unread, ...read.filter((words) => words.length !== command.length || words.some((word, at) => word !== command[at]))];
}

function commandsFor({ place, separator, atOnce }: XargsOptions, command: readonly string[], input: string | null): (readonly string[])[] {
  const [name, ...rest] = command;
  if (name === undefined) return [];
  if (input === null) return [place ? [name.replaceAll(place, unknownValue), ...rest] : command];
  // Without a separator, quotes and backslashes are xargs's own.
  const text = separator === null ? input.replace(/["'\\]/g, "") : input;
  if (place) return inPlaceOf(place, command, text.split(separator ?? "\n"));
  const items = text.split(separator ?? /\s+/).filter(Boolean);
  if (items.length === 0) return [command];
  const all = [...command, ...items];
  return atOnce === null || atOnce >= items.length ? [all] : [...inGroups(items, atOnce).map((group) => [...command, ...group]), all];
}

type XargsOptions = {
  /** What each line is put in the place of: `-I{}`, `-i`, `--replace=%`. */
  place: string | null;
  /** What stands between items: `-0`, `-d,`. */
  separator: string | null;
  /** How many items a command is given: `-n1`. */
  atOnce: number | null;
  /** What is read in place of the input: `-a list`. */
  file: string | null;
};

/** Of several options for the same thing, the last one counts. */
function readOptions(options: readonly string[]): XargsOptions {
  const found: XargsOptions = { place: null, separator: null, atOnce: null, file: null };
  for (const [at, word] of options.entries()) {
    const [flags = "", letter = "", rest = ""] = word.startsWith("--") ? ofLong(word) : (shortOption.exec(word)?.slice(1) ?? []);
    const value = rest === "" ? (options[at + 1] ?? "") : rest;
    if (flags.includes("0")) found.separator = "\0";
    if (letter === "d") found.separator = separators.get(value) ?? value;
    if (letter === "I") found.place = value;
    if (letter === "i") found.place = rest || "{}";
    if (letter === "a") found.file = value;
    if (letter === "n" || letter === "L") found.atOnce = Number(value) || 1;
  }
  return found;
}

const separators: ReadonlyMap<string, string> = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\0", "\0"],
]);

/** Flags, the letter of an option with a value, and what is attached to that. */
const shortOption = /^-([0rtpxo]*)([IinLda]?)(.*)$/s;
const longOptions: readonly (readonly [name: string, flags: string, letter: string])[] = [
  ["--null", "0", ""],
  ["--replace", "", "i"],
  ["--max-args", "", "n"],
  ["--max-lines", "", "L"],
  ["--delimiter", "", "d"],
  ["--arg-file", "", "a"],
];

function ofLong(word: string): readonly string[] {
  const [, flags = "", letter = ""] = longOptions.find(([name]) => isLongOption(word, name)) ?? [];
  return [flags, letter, attachedValue(word) ?? ""];
}

function inPlaceOf(place: string, command: readonly string[], items: readonly string[]): (readonly string[])[] {
  const lines = items.map((line) => line.trim()).filter(Boolean);
  if (lines.length === 0) return [command];
  expectRoom(command.join(" ").split(place).length - 1, lines);
  return bounded(lines).map((line) => command.map((word) => (word.includes(place) ? word.replaceAll(place, () => line) : word)));
}

function inGroups(items: readonly string[], size: number): (readonly string[])[] {
  const groups: (readonly string[])[] = [];
  for (let at = 0; at < items.length && groups.length < maxItems; at += size) groups.push(items.slice(at, at + size));
  return groups;
}

const beforeValues = /^::::?\+?$/;
const beforeFiles = /^::::\+?$/;
/** `{}`, `{1}`, `{.}`, `{/}` ... */
const placeOfParallel = /\{(\d*)[./#%]*\}/g;

/** The scripts that `parallel` makes of what stands behind each `:::`, or else of each line of its input. */
export function scriptsOfParallel(options: readonly string[], command: readonly string[], input: string | null): readonly string[] {
  const at = command.findIndex((word) => beforeValues.test(word));
  const { place, file } = readOptions(options);
  const template = (at < 0 ? command : command.slice(0, at)).join(" ");
  const written = place === null ? template : template.replaceAll(place, "{}");
  const before = file === null ? (at < 0 ? [linesOf(input ?? "")] : []) : [linesOfFile(file)];
  const sources = [...before, ...(at < 0 ? [] : sourcesIn(command.slice(at)))];
  expectRoom(written.split("{").length, sources.flat());
  const rounds = roundsOf(sources);
  if (rounds.length === 0) return template === "" ? [] : [written.replace(placeAsName, unknownValue)];
  return rounds.map((all) => {
    // What it runs is written out, so that what it is given need not be known.
    const values = placeAsName.test(written) || template === "" ? all : all.filter((value) => value !== unknownValue);
    const placed = written.replace(placeOfParallel, (_place, number: string) =>
      number ? (values[Number(number) - 1] ?? "") : values.join(" "),
    );
    return placed === written ? `${written} ${values.join(" ")}`.trim() : placed;
  });
}

const placeAsName = /^\{\d*[./#%]*\}/;

/** Values of which each goes with each, or, where these are too many, each with those at the same place. */
function roundsOf(sources: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const all = sources.reduce((product, { length }) => product * Math.max(1, length), 1);
  if (all > maxItems) {
    const longest = Math.max(...sources.map(({ length }) => length));
    return Array.from({ length: longest }, (_, round) => sources.map((source) => source[Math.min(round, source.length - 1)] ?? ""));
  }
  if (sources.every(({ length }) => length === 0)) return [];
  const orNothing = sources.map((source) => (source.length === 0 ? [""] : source));
  return orNothing.reduce<readonly (readonly string[])[]>(
    (rounds, source) => rounds.flatMap((values) => source.map((value) => [...values, value])),
    [[]],
  );
}

const linesOf = (text: string): readonly string[] => bounded(text.split("\n").filter((line) => line.trim() !== ""));

/** `<(echo text)` is what the substitution prints. Of a file, only its name is known. */
const linesOfFile = (file: string): readonly string[] => [unknownValue, ...linesOf(file)];

function sourcesIn(words: readonly string[]): (readonly string[])[] {
  const sources: { values: string[]; areFiles: boolean }[] = [];
  for (const word of words) {
    if (beforeValues.test(word)) sources.push({ values: [], areFiles: beforeFiles.test(word) });
    else sources.at(-1)?.values.push(word);
  }
  return sources.map(({ values, areFiles }) => bounded(areFiles ? values.flatMap(linesOfFile) : values));
}

function bounded(items: readonly string[]): readonly string[] {
  return items.length > maxItems ? [...items.slice(0, maxItems), items.slice(maxItems).join(" ")] : items;
}

/** @throws Error where items, put in so many places, are too much */
function expectRoom(places: number, items: readonly string[]): void {
  let chars = 0;
  for (const item of items) chars += item.length;
  if (places * chars > maxPlacedChars) throw tooMuch();
}
