import path from "node:path";
import type { Redirect, Redirection, Word } from "unbash";
import { followedPath, maxPathChars } from "./followed-path";
import { folderFor, innerCommandsOf } from "./inner-commands";
import { readScript, type ShellScript, type SimpleCommand } from "./read-script";
import { ReadingBudget, tooMuch } from "./reading-budget";
import { firstVariables, homeFolder, type Round, resolveText, resolveWord, unknownValue, type Variables, wordBreak } from "./resolve-word";
import { laterRoundsOf, roundsOf, textsOf, variablesIn } from "./rounds";
import { printedText } from "./standard-output";

/** A command as it would run: with its quotes gone, taken out of `sudo`, `env`, `sh -c` and the like. */
export type RunningCommand = {
  /** Without its folder; a name that starts with ./ keeps it, because that is a file of the workspace. */
  name: string;
  /** The name as it was written, and the arguments. */
  words: readonly string[];
  /** Where it runs, as far as the script says; starts as `.`, the workspace. */
  folder: string;
  /** The simple command that it is, or that runs it. */
  within: SimpleCommand;
  /** The name of the command that runs it; null for one that the script itself runs. */
  runBy: string | null;
  /** What stands on its standard input, where the script spells that out. */
  input: string | null;
};

export type RunningScript = {
  script: ShellScript;
  commands: readonly RunningCommand[];
  /** Where redirections write to. */
  writesTo: readonly string[];
  /** Where commands of the script run, as far as it says. */
  folders: readonly string[];
  /** Every file that a redirection opens, to read or to write. */
  opens: readonly string[];
};

/** A command line, read once for everybody who asks about it. */
export type ShellReading = {
  text: string;
  /** The text itself. */
  script: ShellScript;
  /** Everything that it would run: itself, and each script that it hands to another shell. */
  running: readonly RunningScript[];
};

/**
 * @param budget what is left to read of the call that the text is from
 * @throws Error for a text that would take too long to read
 */
export function readShell(text: string, budget = new ReadingBudget()): ShellReading {
  const script = readScript(text, budget);
  return { text, script, running: runningScripts(text, script, budget) };
}

/** Scripts inside scripts, and commands inside commands, are looked into so far; what lies deeper is too much. */
const maxDepth = 12;
/** What commands of a pipeline hand on, altogether: each hands on what those before it did, so that it doubles. */
const maxInputChars = 512 * 1024;

/** Of a text that cannot be read whole, its pieces are read too, each by itself. */
function runningScripts(text: string, first: ShellScript, budget: ReadingBudget): RunningScript[] {
  const found: RunningScript[] = [];
  const seen = new Set([text]);
  let open: readonly string[] = [text];
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooMuch();
    const next: string[] = [];
    for (const script of open) {
      const read = depth === 0 ? first : readScript(script, budget);
      found.push(runScript(read, next, budget));
      if (read.joined !== null) next.push(read.joined);
      if (read.unreadable) next.push(...script.split(/[\n;|&(){}`]+/));
    }
    open = next.filter((script) => isNew(script, seen));
  }
  return found;
}

function isNew(script: string, seen: Set<string>): boolean {
  if (seen.has(script) || script.trim() === "") return false;
  seen.add(script);
  return true;
}

function runScript(script: ShellScript, next: string[], budget: ReadingBudget): RunningScript {
  const variables = firstVariables();
  for (const loop of script.loops) begin(loop, variables);
  const begun = variables.now;
  const commands: RunningCommand[] = [];
  const printed: (string | null)[] = [];
  const later: { simple: SimpleCommand; folder: string; input: string | null; moment: number }[] = [];
  const targets = new Map<Redirect, readonly string[]>();
  let folder = ".";
  const folders = new Set([folder]);
  for (const simple of script.commands) {
    assign(simple, variables, budget);
    const words = wordsOf(simple, variables);
    budget.spend(words.length >> 2);
    const input = inputOf(simple, script, printed, variables);
    printed.push(printedText(words, input));
    assignByCommand(words, input, variables);
    if (simple.repeats) later.push({ simple, folder, input, moment: variables.now });
    else
      for (const redirect of simple.node.redirects)
        if (redirect.type === "Redirect") targets.set(redirect, targetsOf(redirect, variables, { ever: false, budget }));
    const firstNew = commands.length;
    const { rounds, areAll } = roundsOf(wordsIn(simple), variables);
    // All values of a loop at once, where rounds do not tell everything. Where it is then, its first round says.
    if (!areAll || movesTo(words)) unfold({ words, folder, within: simple, input, next, budget }, commands);
    let firstEnd = commands.length;
    for (const round of rounds) {
      unfoldRound(round, { folder, within: simple, input, next, budget }, variables, commands);
      if (firstEnd === firstNew) firstEnd = commands.length;
    }
    for (let at = firstNew; at < firstEnd; at += 1) folder = folderAfter(commands[at], folder);
    if (folders.size < maxFolders) folders.add(folder);
  }
  // Now it is known what variables in their lists hold, and which of theirs were given something else before they began.
  for (const loop of script.loops) {
    const isLate =
      variables.isGivenAfter(loop.name.value, begun) ||
      (loop.wordlist ? loop.wordlist.some((word) => variablesIn(word).length > 0) : variables.isGivenAfter("@", begun));
    if (isLate) begin(loop, variables);
  }
  for (const { simple, moment, ...rest } of later) {
    for (const round of laterRoundsOf(wordsIn(simple), variables, moment)) {
      unfoldRound(round, { ...rest, within: simple, next, budget }, variables, commands);
    }
  }
  callFunctions({ script, variables, next, budget, printed }, commands);
  next.push(...script.arithmeticBodies);
  const opened = script.redirects.map((redirect) => ({
    writes: redirect.operator !== "<" && redirect.operator !== "<&",
    files: targets.get(redirect) ?? targetsOf(redirect, variables, { ever: true, budget }),
  }));
  const opens = opened.flatMap(({ files }) => files);
  const writesTo = opened.flatMap(({ writes, files }) => (writes ? files : []));
  return { script, commands, folders: [...folders], writesTo, opens };
}

/** Gives a loop's variable what the loop runs through. */
function begin({ name, wordlist }: ShellScript["loops"][number], variables: Variables): void {
  // `for x; do` runs through the arguments.
  const values = wordlist ? wordlist.flatMap((word) => resolveWord(word, variables)) : (variables.get("@") ?? "").split(wordBreak);
  variables.set(name.value, values.join(" "), values);
}

/** The files that a redirection may open. */
function targetsOf({ target }: Redirect, variables: Variables, when: { ever: boolean; budget: ReadingBudget }): readonly string[] {
  return target ? textsOf(target, variables, when, () => resolveText(target, variables)) : [];
}

/** Adds a command as it is in one round of a loop. */
function unfoldRound(round: Round, unfolding: Omit<Unfolding, "words">, variables: Variables, commands: RunningCommand[]): void {
  const words = variables.during(round, () => wordsOf(unfolding.within, variables));
  unfolding.budget.spend(3 + (words.length >> 2));
  unfold({ ...unfolding, words }, commands);
}

/** What `printf -v x` and `read x` give to variables, where that is known. */
function assignByCommand([name, ...args]: readonly string[], input: string | null, variables: Variables): void {
  if (name === "printf" && args[0] === "-v" && args[1] !== undefined) {
    variables.set(args[1], printedText(["printf", ...args.slice(2)], null) ?? unknownValue);
  }
  if (name === "set" && /^(?:--$|[^-+])/.test(args[0] ?? "")) giveArguments(args[0] === "--" ? args.slice(1) : args, variables);
  if (name === "shift") {
    const [count = "1"] = args;
    giveArguments(
      variables
        .spend(variables.get("@") ?? "")
        .split(wordBreak)
        .slice(/^\d+$/.test(count) ? Number(count) : 1),
      variables,
    );
  }
  if ((name === "mapfile" || name === "readarray") && input !== null && input.length <= maxListChars) {
    const list = args.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? "MAPFILE";
    variables.setList(list, input.replace(/\n$/, "").split("\n"), false);
  }
  if (name !== "read" || input === null) return;
  const names = args.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  const fields = input.trim().split(/\s+/);
  // Which of them gets what depends on options, and in a loop on the line.
  for (const variable of names) variables.set(variable, input.trim(), [...new Set([input.trim(), ...fields])].slice(0, maxFields));
}

const maxFields = 32;
const maxListChars = 1_000;
/** Arguments that are known each by its number. */
const maxArguments = 32;

/** What a script or a function is called with, as `$1`, `$2` and `$@`. */
function giveArguments(values: readonly string[], variables: Variables): void {
  const last = Math.min(maxArguments, Math.max(9, values.length));
  for (let place = 1; place <= last; place += 1) variables.set(String(place), values[place - 1] ?? "");
  for (const all of ["@", "*"]) variables.set(all, values.join(wordBreak));
}

function wordsOf({ node: { name, args } }: SimpleCommand, variables: Variables): string[] {
  if (!name) return [];
  const words = resolveWord(name, variables);
  for (const word of args) {
    if (word.type === "Word") words.push(...resolveWord(word, variables));
    else words.push(word.value.type === "Word" ? `${word.name}=${resolveText(word.value, variables)}` : word.text);
  }
  return words;
}

/** Adds what functions do with the words that they are called with: `f() { rm -rf "$1"; }; f /`. */
function callFunctions(
  {
    script,
    variables,
    next,
    budget,
    printed,
  }: { script: ShellScript; variables: Variables; next: string[]; budget: ReadingBudget; printed: (string | null)[] },
  commands: RunningCommand[],
): void {
  const bodies = new Map<string, SimpleCommand[]>();
  for (const simple of script.commands) for (const name of simple.functions) bodies.set(name, [...(bodies.get(name) ?? []), simple]);
  const loops = script.loops.filter(({ wordlist }) => !wordlist || wordlist.some(({ text }) => takesArguments.test(text)));
  if (loops.length === 0 && !script.commands.some(({ text }) => takesArguments.test(text))) return;
  const known = new Set(commands.map(({ words, within, folder, input }) => [keyOf(words, within), folder, input].join(wordBreak)));
  /** By which functions a command is run. A function that calls itself is followed once. */
  const runBy: (readonly string[])[] = commands.map(() => []);
  for (let at = 0; at < commands.length; at += 1) {
    const { name = "", words = [], folder = "." } = commands[at] ?? {};
    const outer = runBy[at] ?? [];
    const body = words.length > 1 ? bodies.get(name) : undefined;
    if (!body || outer.filter((caller) => caller === name).length > 1) continue;
    giveArguments(words.slice(1), variables);
    for (const loop of loops) begin(loop, variables);
    let inFolder = folder;
    for (const within of body) {
      assign(within, variables, budget);
      const resolved = wordsOf(within, variables);
      const input = inputOf(within, script, printed, variables);
      budget.spend(3 + (resolved.length >> 2) + ((input?.length ?? 0) >> 8));
      printed[within.index] = printedText(resolved, input);
      assignByCommand(resolved, input, variables);
      const key = [keyOf(resolved, within), inFolder, input].join(wordBreak);
      if (known.has(key)) continue;
      known.add(key);
      const first = commands.length;
      unfold({ words: resolved, folder: inFolder, within, input, next, budget }, commands);
      inFolder = folderAfter(commands[first], inFolder);
    }
    while (runBy.length < commands.length) runBy.push([...outer, name]);
  }
}

const takesArguments = /\$\{?[1-9@*]/;
const keyOf = (words: readonly string[], { index }: SimpleCommand): string => [index, ...words].join(wordBreak);

const wordsIn = ({ node: { name, args } }: SimpleCommand): Word[] =>
  [...(name ? [name] : []), ...args].flatMap((arg) => (arg.type === "Word" ? [arg] : []));

type Unfolding = Pick<RunningCommand, "words" | "folder" | "within" | "input"> & { next: string[]; budget: ReadingBudget };

/** Adds a command and, one inside the other, those that it runs. */
function unfold({ words, folder, within, input, next, budget }: Unfolding, commands: RunningCommand[]): void {
  let open: { words: readonly string[]; runBy: string | null; folder: string }[] = [{ words, runBy: null, folder }];
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooMuch();
    const inner: typeof open = [];
    for (const { words, runBy, folder } of open) {
      if (words.length === 0) continue;
      const name = nameOf(words[0] ?? "", folder);
      commands.push({ name, words, folder, within, runBy, input });
      const found = innerCommandsOf(name, words, input);
      for (const wrapped of found.commands) {
        budget.spend(wrapped.length >> 3);
        const to = folderFor(name, words, wrapped);
        inner.push({ words: wrapped, runBy: name, folder: to === null ? folder : folderAt(to, folder) });
      }
      for (const script of found.scripts) next.push(script);
    }
    open = inner;
  }
}

/** Of more folders, redirections are not looked at in each. */
const maxFolders = 16;

function nameOf(word: string, folder: string): string {
  const known = word.includes(unknownValue) ? word.replaceAll(unknownValue, "") : word;
  if (!known.includes("/")) return known;
  if (known.length > maxPathChars) return known.slice(known.lastIndexOf("/") + 1);
  const file = path.posix.join(known.startsWith("/") ? "/" : folder, known);
  return file.startsWith("/") || file.startsWith("../") ? path.posix.basename(file) : `./${file}`;
}

const movesTo = ([name]: readonly string[]): boolean => name === "cd" || name === "pushd";

function folderAfter(command: RunningCommand | undefined, folder: string): string {
  if (!command || !movesTo([command.name])) return folder;
  const [to = homeFolder] = command.words.slice(1).filter((word) => !/^-[LPe@]+$|^--$/.test(word));
  return folderAt(to, folder);
}

function folderAt(to: string, folder: string): string {
  if (to.includes(unknownValue) || to === "-" || to.length + folder.length > maxPathChars) return ".";
  return followedPath(to, folder);
}

/** Remembers `X=value`, also after `export` and the like, where some shells see plain words. */
function assign({ node: { prefix, suffix } }: SimpleCommand, variables: Variables, budget: ReadingBudget): void {
  for (const parts of [prefix, suffix]) {
    for (const part of parts) {
      if (part.type !== "Assignment") continue;
      if (part.value.type === "ArrayValue") {
        const words = part.value.elements.flatMap((element) => (element.type === "Word" ? resolveWord(element, variables) : []));
        // `([1]=a)`: wherever it stands, it is one of them.
        const elements = words.map((word) => /^\[[^\]]{0,40}\]=(.*)$/s.exec(word)?.[1] ?? word);
        variables.setList(part.name, elements, part.append === true);
        continue;
      }
      const { name, index, value: word, append } = part;
      const at = index ? `${name}[${index.value}]` : name;
      const given = () => (append ? (variables.get(at) ?? "") : "") + resolveText(word, variables);
      const [text, texts] = [given(), textsOf(word, variables, { ever: false, budget }, given)];
      if (index || variables.get(`${name}[@]`) !== null) variables.setElement(name, index?.value ?? "0", text);
      variables.set(at, text, texts);
    }
  }
}

/** The text on a command's standard input, where the script spells it out. */
function inputOf(
  { node, pipedFrom }: SimpleCommand,
  script: ShellScript,
  printed: readonly (string | null)[],
  variables: Variables,
): string | null {
  const given = node.redirects.length === 0 ? [] : node.redirects.flatMap((redirect) => givenBy(redirect, script, variables));
  if (given.length > 0) return given.join("\n");
  if (!pipedFrom) return null;
  const before = new Set(printed.slice(pipedFrom.start, pipedFrom.end).filter((text) => text !== null));
  if (before.size === 0) return null;
  const input = [...before].join("\n");
  if (input.length > maxInputChars) throw tooMuch();
  return input;
}

function givenBy(redirect: Redirection, { hereDocuments }: ShellScript, variables: Variables): string[] {
  if (redirect.type === "HereDoc") return [hereDocuments.get(redirect.body.text) ?? redirect.body.text];
  if (redirect.type !== "HereString" || !redirect.target) return [];
  return [resolveText(redirect.target, variables)];
}
