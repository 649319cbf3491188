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
import type { Redirection, ShellScript, SimpleCommand } from "../script/shell-script";
import type { ShellWord } from "../script/words";
import { Collector, type Note, type ScriptEffect } from "./collector";
import { addCommand } from "./effects-of-command";
import { addFedPrograms, addRunDownloads, type CommandPart } from "./fed-programs";

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
  const nested: ShellScript[] = [];
  let depth = 0;
  const collector = new Collector(surroundings, (inner, word, command) => {
    if (depth >= maxNested) {
      collector.add("execute", { where: "not_known" }, word);
      return;
    }
    const read = readScript(inner, budget, command.folder, surroundings.machine);
    nested.push(read);
    const before = { effects: effects.length, notes: notes.length };
    depth += 1;
    addScript(read, collector, command);
    depth -= 1;
    // The evidence for a script inside a word is that word.
    for (const found of [...effects.slice(before.effects), ...notes.slice(before.notes)]) {
      found.start = word.start;
      found.end = word.end;
    }
  });
  const { effects, notes, commands, contents, codes } = collector;
  const script = readScript(text, budget, folder, surroundings.machine);
  const parts = addScript(script, collector, null);
  noteMadeRunnable(collector);
  return { text, script, nested, commands, codes, effects, contents, notes, parts };
}

/** Notes a file that is made executable and then run: `chmod +x a && ./a`. */
function noteMadeRunnable(collector: Collector): void {
  const { commands } = collector;
  const made = new Set(
    commands.flatMap(({ name, words }) => (name === "chmod" ? words.slice(2).map(({ value }) => path.posix.normalize(value)) : [])),
  );
  for (const { words, within } of made.size > 0 ? commands : []) {
    const [name] = words;
    if (!name?.value.includes("/") || !made.has(path.posix.normalize(name.value))) continue;
    collector.note("shell.made_runnable", "makes a file a program and runs it", within.text, name);
  }
}

function addScript(script: ShellScript, collector: Collector, runBy: ResolvedCommand | null): readonly CommandPart[] {
  const { effects, notes, surroundings } = collector;
  const all = { start: 0, end: script.text.length };
  if (script.unreadable) collector.addUnknown("shell.unreadable", `cannot be read with certainty: ${script.unreadable}`, script.text, all);
  for (const redirection of script.redirections) addRedirection(redirection, collector);
  const listed = script.loopVariables.map(({ value }) => value).filter((value) => value !== null);
  addGlobs(listed, ".", script, collector);
  for (const { name } of script.loopVariables)
    if (changesPrograms(name, null, surroundings)) collector.addUnknown("shell.environment", setting(name), name, all);
  for (const at of script.evaluations)
    collector.addUnknown(
      "shell.eval",
      "computes with a variable, which may run what stands in it",
      script.text.slice(at.start, at.end),
      at,
    );
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

const setting = (variable: string) => `sets ${variable}, which can change what other commands do`;

function addSimpleCommand(command: SimpleCommand, script: ShellScript, collector: Collector, runBy: ResolvedCommand | null): void {
  const { words, assignments, redirections, folder } = command;
  const [name, ...args] = words;
  for (const redirection of redirections) addRedirection(redirection, collector);
  for (const { name: variable, value } of assignments) {
    addAssignment(variable, value?.certainty === "literal" ? value.value : null, command, collector);
    if (value && isProxy.test(variable)) {
      collector.add("connect", locateUrl(value, collector.surroundings.sandboxed), value);
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
    collector.note("shell.hidden_command", "hides its name behind quotes", command.text, name);
  }
  addCommand({ name: programName(name), words: [name, ...args], folder, within: command, runBy, isTransparent: false }, collector);
}

function addRedirection({ operator, target, folder }: Redirection, collector: Collector): void {
  const { contents, surroundings } = collector;
  const [, host, port] = /^\/dev\/(?:tcp|udp)\/([^/]+)\/?(.*)$/.exec(target.value) ?? [];
  if (host !== undefined) {
    collector.add("connect", { where: "outside", host: port ? `${host}:${port}` : host }, target);
    return;
  }
  collector.add(operator === "<" ? "read" : "write", locatePath(target, folder, surroundings), target);
  // The input of a shell or of a client is what it does: `ssh host sh < deploy.sh`, `psql < change.sql`.
  if (operator === "<" && !isInput(target) && !target.value.startsWith("/dev/"))
    contents.push(sourceOfWord("runs", target, folder, surroundings));
}

const quotedPart = /"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs;
const expansion = /\$(?:\{[^}]*\}|\([^)]*\)|\w+|[*@?#!$-])|`[^`]*`/g;

/** Adds a read of the names in the folder that a glob lists. */
function addGlobs(words: readonly ShellWord[], folder: string | null, script: ShellScript, collector: Collector): void {
  const namesOnly = true;
  for (const word of words) {
    if (word.certainty === "unknown") {
      if (mayHoldGlob(word.text.replace(quotedPart, ""), script)) collector.add("read", { where: "not_known" }, word, { namesOnly });
    } else if (word.certainty === "glob") {
      const target = locatePath(word, folder, collector.surroundings);
      if (target.where !== "inside") collector.add("read", target, word, { namesOnly });
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

function addAssignment(variable: string, value: string | null, command: SimpleCommand, collector: Collector): void {
  const { contents, surroundings } = collector;
  if (!changesPrograms(variable, value, surroundings)) return;
  if (value?.includes("/")) {
    const word = { value, text: value, certainty: "literal" } as const;
    contents.push(sourceOfWord("runs", word, command.folder, surroundings, { isDefault: true, isData: true }));
  }
  collector.addUnknown("shell.environment", setting(variable), command.text, command);
}
