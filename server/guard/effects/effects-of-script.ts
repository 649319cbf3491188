import path from "node:path";
import { locateUrl } from "../hosts/locate-host";
import { locatePath, type PathContext } from "../paths/locate-path";
import type { CodeInCommand } from "../programs/commands-in-code";
import { type ContentSource, sourceOfWord } from "../programs/content-sources";
import { changesPrograms } from "../programs/environment";
import { isInput } from "../programs/language";
import { findProgram } from "../programs/programs";
import { readScript } from "../script/read-script";
import type { ReadingBudget } from "../script/reading-budget";
import { programName, type ResolvedCommand } from "../script/resolved-command";
import type { GivenText, ShellScript, SimpleCommand } from "../script/shell-script";
import { type ShellWord, unknownPiece } from "../script/words";
import { folderAt } from "../script/working-folder";
import { addCode, addCommand, type Collector, type Note, type ScriptEffect } from "./effects-of-command";

/** A command line, read once and shared by every part of the guard. */
export type ShellReading = {
  text: string;
  script: ShellScript;
  /** Scripts inside of words, as in `sh -c '…'`. */
  nested: readonly ShellScript[];
  commands: readonly ResolvedCommand[];
  /** Programs in other languages, and scripts for other machines. */
  codes: readonly CodeInCommand[];
  effects: readonly ScriptEffect[];
  /** Files whose contents decide what the commands do. */
  contents: readonly ContentSource[];
  notes: readonly Note[];
  /** The commands of the script itself, each with its own effects and those of the commands that it runs. */
  parts: readonly CommandPart[];
};

/** Maximum nesting of scripts inside scripts; a deeper script has unknown effects. */
const maxNested = 5;

/**
 * Reads a command line and derives its effects from its words. A word that is decided only at run time has an unknown
 * target, because nothing is executed or simulated.
 * @param folder the working folder at the start, as in `readScript`
 * @throws TooMuchToRead when the text is too long, dense or deep
 */
export function effectsOfScript(text: string, surroundings: PathContext, budget: ReadingBudget, folder: string | null = "."): ShellReading {
  const effects: ScriptEffect[] = [];
  const notes: Note[] = [];
  const commands: ResolvedCommand[] = [];
  const contents: ContentSource[] = [];
  const nested: ShellScript[] = [];
  const codes: CodeInCommand[] = [];

  const collect = (script: ShellScript, depth: number, at: { word: ShellWord; within: ResolvedCommand } | null): readonly CommandPart[] => {
    const shift = effects.length;
    const shiftNotes = notes.length;
    const collector: Collector = {
      surroundings,
      effects,
      notes,
      commands,
      contents,
      codes,
      runScript: (inner, word, command) => {
        if (depth >= maxNested) {
          effects.push({ kind: "execute", target: { where: "not_known" }, start: word.start, end: word.end });
          return;
        }
        const read = readScript(inner, budget, command.folder, surroundings.machine);
        nested.push(read);
        collect(read, depth + 1, { word, within: command });
      },
    };
    const parts = addScript(script, collector, at?.within ?? null);
    if (at === null) return parts;
    // The evidence for a script inside a word is that word.
    for (const list of [effects.slice(shift), notes.slice(shiftNotes)]) {
      for (const found of list) {
        found.start = at.word.start;
        found.end = at.word.end;
      }
    }
    return parts;
  };

  const script = readScript(text, budget, folder, surroundings.machine);
  const parts = collect(script, 0, null);
  noteMadeRunnable(commands, notes);
  return { text, script, nested, commands, codes, effects, contents, notes, parts };
}

/** Notes a file that is made executable and then run: `chmod +x a && ./a`. */
function noteMadeRunnable(commands: readonly ResolvedCommand[], notes: Note[]): void {
  const made = new Set(
    commands.flatMap(({ name, words }) => (name === "chmod" ? words.slice(2).map(({ value }) => path.posix.normalize(value)) : [])),
  );
  for (const { words, within } of made.size > 0 ? commands : []) {
    const [name] = words;
    if (!name?.value.includes("/") || !made.has(path.posix.normalize(name.value))) continue;
    notes.push({
      detector: "shell.made_runnable",
      says: "makes a file a program and runs it",
      text: within.text,
      start: name.start,
      end: name.end,
    });
  }
}

function addScript(script: ShellScript, collector: Collector, runBy: ResolvedCommand | null): readonly CommandPart[] {
  const { effects, notes, surroundings } = collector;
  if (script.unreadable) {
    const at = { start: 0, end: script.text.length };
    effects.push({ kind: "execute", target: { where: "not_known" }, ...at });
    notes.push({ detector: "shell.unreadable", says: `cannot be read with certainty: ${script.unreadable}`, text: script.text, ...at });
  }
  for (const redirection of script.redirections) addRedirection(redirection, collector);
  const listed = script.loopVariables.map(({ value }) => value).filter((value) => value !== null);
  addGlobs(listed, ".", script, collector);
  for (const { name } of script.loopVariables) {
    if (!changesPrograms(name, null, surroundings)) continue;
    const at = { start: 0, end: script.text.length };
    effects.push({ kind: "execute", target: { where: "not_known" }, ...at });
    notes.push({ detector: "shell.environment", says: `sets ${name}, which can change what other commands do`, text: name, ...at });
  }
  for (const { start, end } of script.evaluations) {
    effects.push({ kind: "execute", target: { where: "not_known" }, start, end });
    notes.push({
      detector: "shell.eval",
      says: "computes with a variable, which may run what stands in it",
      text: script.text.slice(start, end),
      start,
      end,
    });
  }
  const seen: CommandPart[] = [];
  for (const command of script.commands) {
    const before = { effects: effects.length, commands: collector.commands.length, notes: notes.length };
    addSimpleCommand(command, script, collector, runBy);
    seen[command.index] = {
      command,
      resolved: collector.commands.slice(before.commands),
      effects: effects.slice(before.effects),
      notes: notes.slice(before.notes),
    };
  }
  for (const one of seen) addFedPrograms(one, seen, collector);
  addRunDownloads(seen, collector);
  return seen;
}

function addSimpleCommand(command: SimpleCommand, script: ShellScript, collector: Collector, runBy: ResolvedCommand | null): void {
  const { words, assignments, redirections, folder } = command;
  const [name, ...args] = words;
  for (const redirection of redirections) addRedirection(redirection, collector);
  for (const { name: variable, value } of assignments) {
    addAssignment(variable, value?.certainty === "literal" ? value.value : null, command, collector);
    if (value && isProxy.test(variable)) {
      const target = locateUrl(value, collector.surroundings.sandboxed);
      collector.effects.push({ kind: "connect", target, start: value.start, end: value.end });
    }
  }
  if (!name) return;
  if (/^(?:export|declare|typeset|readonly|local)$/.test(name.value)) {
    for (const { value } of args) {
      const [, variable, given = null] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(value) ?? [];
      if (variable) addAssignment(variable, given, command, collector);
    }
  }
  addGlobs(words, folder, script, collector);
  // A call of the script's own function: its commands are read where it is defined. A known program of the same name is
  // still read, because the definition may come later, elsewhere or never.
  if (script.functions.has(name.value) && !findProgram(name.value, name.certainty)) return;
  if (/[\\'"]/.test(name.text) && name.certainty === "literal" && !/^(["'])[\w./+-]+\1$/.test(name.text)) {
    collector.notes.push({
      detector: "shell.hidden_command",
      says: "hides its name behind quotes",
      text: command.text,
      start: name.start,
      end: name.end,
    });
  }
  addCommand({ name: programName(name), words: [name, ...args], folder, within: command, runBy, isTransparent: false }, collector);
}

function addRedirection(
  { operator, target, folder }: ShellScript["redirections"][number],
  { effects, contents, surroundings }: Collector,
): void {
  const at = { start: target.start, end: target.end };
  const [, host, port] = /^\/dev\/(?:tcp|udp)\/([^/]+)\/?(.*)$/.exec(target.value) ?? [];
  if (host !== undefined) {
    effects.push({ kind: "connect", target: { where: "outside", host: port ? `${host}:${port}` : host }, ...at });
    return;
  }
  effects.push({ kind: operator === "<" ? "read" : "write", target: locatePath(target, folder, surroundings), ...at });
  // The input of a shell or of a client is what it does: `ssh host sh < deploy.sh`, `psql < change.sql`.
  if (operator === "<" && !isInput(target) && !target.value.startsWith("/dev/"))
    contents.push(sourceOfWord("runs", target, folder, surroundings));
}

const quotedPart = /"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs;
const expansion = /\$(?:\{[^}]*\}|\([^)]*\)|\w+|[*@?#!$-])|`[^`]*`/g;

/** Adds a read of the names in the folder that a glob lists. */
function addGlobs(words: readonly ShellWord[], folder: string | null, script: ShellScript, { effects, surroundings }: Collector): void {
  for (const word of words) {
    const at = { namesOnly: true, start: word.start, end: word.end } as const;
    if (word.certainty === "unknown") {
      if (mayHoldGlob(word.text.replace(quotedPart, ""), script)) effects.push({ kind: "read", target: { where: "not_known" }, ...at });
    } else if (word.certainty === "glob") {
      const target = locatePath(word, folder, surroundings);
      if (target.where !== "inside") effects.push({ kind: "read", target, ...at });
    }
  }
}

/** Returns whether an unquoted text contains a glob, directly or through the value of an assigned variable. */
function mayHoldGlob(text: string, { commands }: ShellScript): boolean {
  const isGlob = (one: string) => /[*?[]/.test(one);
  if (isGlob(text.replace(expansion, ""))) return true;
  const named = [...text.matchAll(/\$\{?(\w+)/g)].map(([, name]) => name);
  return commands.some(({ assignments }) =>
    assignments.some(({ name, value }) => value !== null && named.includes(name) && isGlob(value.value)),
  );
}

/** Variables that name a proxy, to which programs send their requests. */
const isProxy = /^(?:https?|all|ftp)_proxy$/i;

function addAssignment(
  variable: string,
  value: string | null,
  command: SimpleCommand,
  { effects, notes, contents, surroundings }: Collector,
): void {
  if (!changesPrograms(variable, value, surroundings)) return;
  if (value?.includes("/")) {
    const word = { value, text: value, certainty: "literal" } as const;
    contents.push(sourceOfWord("runs", word, command.folder, surroundings, { isDefault: true, isData: true }));
  }
  const at = { start: command.start, end: command.end };
  effects.push({ kind: "execute", target: { where: "not_known" }, ...at });
  notes.push({
    detector: "shell.environment",
    says: `sets ${variable}, which can change what other commands do`,
    text: command.text,
    ...at,
  });
}

const decoder = /^(?:base64|base32|xxd|uudecode|openssl|gunzip|zcat|bunzip2|xz|unxz|zstd|rev|tr|gpg)$/;
/** Builtins that run text, possibly text from a substitution. */
const runsText = /^(?:eval|source|\.)$/;

/** A command of a script, with the commands that it resolves to or runs, and their effects. */
export type CommandPart = {
  command: SimpleCommand;
  resolved: readonly ResolvedCommand[];
  effects: readonly ScriptEffect[];
  notes: readonly Note[];
};

const connects = ({ effects }: CommandPart): boolean => effects.some(({ kind }) => kind === "connect");

/** Adds the programs that a shell or an interpreter gets from another command: by a pipe, a substitution or a here-document. */
function addFedPrograms(seen: CommandPart, all: readonly CommandPart[], collector: Collector): void {
  const { effects, notes } = collector;
  const { command, resolved: own } = seen;
  const at = { start: command.start, end: command.end, text: command.text };
  const reader = own.find(({ name, words }) => findProgram(name, "literal")?.runsInput?.(words.slice(1)) === true);
  if (command.input !== null) addGivenProgram(command.input, reader, seen, collector);
  const before = command.pipedFrom ? all.slice(command.pipedFrom.start, command.pipedFrom.end) : [];
  const substituted = all.filter(({ command: { inside } }) => inside === command.index);
  const sources = [
    ...(reader || runsItsWords(own, all) || seen.effects.some(runsInputFile) ? before : []),
    ...(mayRunSubstituted(seen) ? substituted : []),
    ...variablesRun(own).flatMap((variable) => sourcesOf(variable, all)),
  ];
  addPipedFiles(mayActOn(seen) ? [...before, ...sources] : sources, collector);
  if (connectsShell(seen, before)) notes.push({ detector: "shell.reverse_shell", says: "hands a shell to another machine", ...at });
  if (sources.some(connects)) notes.push({ detector: "shell.download_and_run", says: "runs a download unread", ...at });
  else if (sources.some(({ resolved }) => resolved.some(({ name }) => decoder.test(name))))
    notes.push({ detector: "shell.hidden_program", says: "runs text that was decoded", ...at });
  else if (reader && before.length > 0) notes.push({ detector: "shell.piped_program", says: "runs what another command prints", ...at });
  if (reader || sources.length > 0)
    effects.push({ kind: "execute", target: { where: "not_known", program: String(own.at(-1)?.name) }, start: at.start, end: at.end });
}

/** Returns whether a command may do what its input says, beyond reading it. */
const mayActOn = ({ effects }: CommandPart): boolean =>
  effects.some(({ kind }) => kind === "execute" || kind === "connect" || kind === "send" || kind === "elevate" || kind === "query");

/** Adds the files that other commands print into the input of a program: `cat deploy.sh | ssh host sh`. */
function addPipedFiles(before: readonly CommandPart[], { contents }: Collector): void {
  for (const { kind, target, namesOnly } of before.flatMap(({ effects }) => effects)) {
    if (kind !== "read" || namesOnly || target.host !== undefined || target.path?.startsWith("/dev/")) continue;
    contents.push({ as: "runs", path: target.path ?? null, named: target.path ?? "the input of another command" });
  }
}

const pipesNetwork = /^(?:nc|ncat|netcat|socat|telnet|openssl)$/;

/** Returns whether a connection is the input or output of a shell: `sh -i >& /dev/tcp/…`, `sh | nc host port`. */
function connectsShell({ command, resolved, effects }: CommandPart, before: readonly CommandPart[]): boolean {
  const isShell = ({ name, words }: ResolvedCommand) => {
    const program = findProgram(name, "literal");
    return program?.isShell === true && program.runsInput?.(words.slice(1)) === true;
  };
  const isDirect = command.redirections.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target.value)) && resolved.some(isShell);
  const isPiped = resolved.some(({ name }) => pipesNetwork.test(name)) && effects.some(({ kind }) => kind === "connect");
  return isDirect || (isPiped && before.some((one) => one.resolved.some(isShell)));
}

/** Adds a program that the script itself writes into the input of a shell or an interpreter. */
function addGivenProgram(
  input: GivenText,
  reader: ResolvedCommand | undefined,
  { command, resolved }: CommandPart,
  collector: Collector,
): void {
  const word = { ...input, text: command.text, start: command.start, end: command.end };
  const sourced = resolved.find(({ name, words: [, file] }) => /^(?:source|\.)$/.test(name) && file && isInput(file));
  const runner = sourced ?? reader;
  if (!runner) return;
  if (!sourced && findProgram(runner.name, "literal")?.isShell !== true) addCode(input.value, word, runner, collector);
  else if (input.certainty === "literal") collector.runScript(input.value, word, runner);
}

/** Recognises a program that executes its input as a file: `make -f -`. */
const runsInputFile = ({ kind, target }: ScriptEffect): boolean => kind === "execute" && /^(?:-|\/dev\/stdin)$/.test(target.path ?? "");

/**
 * Returns whether a substitution runs as a program: as the command's name, as a file of code, or among an interpreter's
 * words.
 */
function mayRunSubstituted({ resolved, effects }: CommandPart): boolean {
  return (
    resolved.some(
      ({ name, words }) => name === "" || runsText.test(name) || findProgram(name, "literal")?.runsInput?.(words.slice(1)) !== undefined,
    ) || effects.some(({ kind, target }) => kind === "execute" && target.path === "/dev/fd/63")
  );
}

/** Returns whether piped input becomes a script: `xargs sh -c`, `while read line; do eval "$line"; done`. */
function runsItsWords(own: readonly ResolvedCommand[], all: readonly CommandPart[]): boolean {
  const isFed =
    own.some(({ name }) => /^g?xargs$|^parallel$/.test(name)) || all.some(({ resolved }) => resolved.some(({ name }) => name === "read"));
  return isFed && scriptsOf(own).some(({ value }) => value.replaceAll(unknownPiece, "") === "");
}

/** Returns the words that a shell or `eval` runs as a script. */
function scriptsOf(own: readonly ResolvedCommand[]): ShellWord[] {
  return own.flatMap(({ name, words }) => {
    if (name === "eval") return words.slice(1);
    const option = findProgram(name, "literal")?.isShell ? words.findIndex(({ value }) => /^-\w*c$/.test(value)) : -1;
    return option < 0 ? [] : words.slice(option + 1, option + 2);
  });
}

/** Returns the names of the variables whose whole value a shell or `eval` runs. */
function variablesRun(own: readonly ResolvedCommand[]): string[] {
  return scriptsOf(own).flatMap(({ text }) => /^"?\$\{?(\w+)\}?"?$/.exec(text)?.[1] ?? []);
}

/** Returns the commands whose output is assigned to a variable. */
function sourcesOf(variable: string, all: readonly CommandPart[]): CommandPart[] {
  const assigning = all.filter(({ command }) => command.assignments.some(({ name }) => name === variable));
  return all.filter(({ command: { inside } }) => assigning.some(({ command }) => command.index === inside));
}

/** Notes a file that one command downloads and a later command runs: `curl -o x …; sh x`. */
function addRunDownloads(all: readonly CommandPart[], { notes }: Collector): void {
  const downloaded = new Set<string>();
  for (const seen of all) {
    const { command, effects } = seen;
    const isRun = effects.some(({ kind, target }) => kind === "execute" && target.path !== undefined && downloaded.has(target.path));
    if (isRun) {
      const at = { start: command.start, end: command.end, text: command.text };
      notes.push({ detector: "shell.download_and_run", says: "runs a file that was downloaded just before", ...at });
    }
    if (!connects(seen)) continue;
    const names = command.words.flatMap(({ value }) => /:\/\/[^?#]*\/([^/?#]+)/.exec(value)?.[1] ?? []);
    for (const { kind, target } of effects) {
      const { path } = target;
      if (kind !== "write" || path === undefined) continue;
      for (const file of [path, ...names.map((name) => folderAt(name, path))]) downloaded.add(file);
    }
  }
}
