import { isInput } from "../programs/language";
import { findProgram } from "../programs/programs";
import type { ResolvedCommand } from "../script/resolved-command";
import type { GivenText, SimpleCommand } from "../script/shell-script";
import { type ShellWord, unknownPiece } from "../script/words";
import { folderAt } from "../script/working-folder";
import type { Collector, Note, ScriptEffect } from "./collector";

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
export function addFedPrograms(seen: CommandPart, all: readonly CommandPart[], collector: Collector): void {
  const { command, resolved: own } = seen;
  const reader = own.find(({ name, words }) => findProgram(name, "literal")?.runsInput?.(words.slice(1)) === true);
  if (command.input !== null) addGivenProgram(command.input, reader, seen, collector);
  const before = command.pipedFrom ? all.slice(command.pipedFrom.start, command.pipedFrom.end) : [];
  const substituted = all.filter(({ command: { inside } }) => inside === command.index);
  const sources = [
    ...(reader || runsItsWords(own, all) || seen.effects.some(runsInputFile) ? before : []),
    ...(mayRunSubstituted(seen) ? substituted : []),
    ...variablesRun(own).flatMap((variable) => sourcesOf(variable, all)),
  ];
  const note = (detector: string, says: string) => collector.note(detector, says, command.text, command);
  addPipedFiles(mayActOn(seen) ? [...before, ...sources] : sources, collector);
  if (connectsShell(seen, before)) note("shell.reverse_shell", "hands a shell to another machine");
  if (sources.some(connects)) note("shell.download_and_run", "runs a download unread");
  else if (sources.some(({ resolved }) => resolved.some(({ name }) => decoder.test(name))))
    note("shell.hidden_program", "runs text that was decoded");
  else if (reader && before.length > 0) note("shell.piped_program", "runs what another command prints");
  if (reader || sources.length > 0) collector.add("execute", { where: "not_known", program: String(own.at(-1)?.name) }, command);
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
  if (!sourced && findProgram(runner.name, "literal")?.isShell !== true) collector.addCode(input.value, word, runner);
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
export function addRunDownloads(all: readonly CommandPart[], collector: Collector): void {
  const downloaded = new Set<string>();
  for (const seen of all) {
    const { command, effects } = seen;
    const isRun = effects.some(({ kind, target }) => kind === "execute" && target.path !== undefined && downloaded.has(target.path));
    if (isRun) collector.note("shell.download_and_run", "runs a file that was downloaded just before", command.text, command);
    if (!connects(seen)) continue;
    const names = command.words.flatMap(({ value }) => /:\/\/[^?#]*\/([^/?#]+)/.exec(value)?.[1] ?? []);
    for (const { kind, target } of effects) {
      const { path } = target;
      if (kind !== "write" || path === undefined) continue;
      for (const file of [path, ...names.map((name) => folderAt(name, path))]) downloaded.add(file);
    }
  }
}
