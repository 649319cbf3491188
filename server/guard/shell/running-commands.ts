import path from "node:path";
import type { Redirection } from "unbash";
import { innerCommandsOf } from "./inner-commands";
import { readScript, type ShellScript, type SimpleCommand } from "./read-script";
import { firstVariables, homeFolder, printedText, resolveText, resolveWord, unknownValue, type Variables } from "./resolve-word";

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
};

export type RunningScript = {
  script: ShellScript;
  commands: readonly RunningCommand[];
  /** Where redirections write to. */
  writesTo: readonly string[];
};

/** A command line, read once for everybody who asks about it. */
export type ShellReading = {
  text: string;
  /** The text itself. */
  script: ShellScript;
  /** Everything that it would run: itself, and each script that it hands to another shell. */
  running: readonly RunningScript[];
};

/** @throws Error for a text that would take too long to read */
export function readShell(text: string): ShellReading {
  // The parser's time grows with the square of the number of here-documents.
  if (text.split("<<", maxHereDocs + 1).length > maxHereDocs) throw new Error("it may have too many here-documents");
  const script = readScript(text);
  return { text, script, running: runningScripts(text, script) };
}

const maxHereDocs = 2_000;
const maxDepth = 8;
const maxScripts = 1_000;
/** Commands of a pipeline whose output may be another's input. */
const maxPiped = 16;

/** Of a text that cannot be read whole, its pieces are read too, each by itself. */
function runningScripts(text: string, first: ShellScript): RunningScript[] {
  const found: RunningScript[] = [];
  let open = [text];
  for (let depth = 0; depth < maxDepth && open.length > 0; depth += 1) {
    const next: string[] = [];
    for (const script of open.slice(0, maxScripts - found.length)) {
      const read = depth === 0 ? first : readScript(script);
      found.push(runScript(read, next));
      if (read.unreadable) next.push(...script.split(/[\n;|&(){}`]+/).filter((piece) => piece !== script));
    }
    open = [...new Set(next)].filter((script) => script.trim() !== "");
  }
  return found;
}

function runScript(script: ShellScript, next: string[]): RunningScript {
  const variables = firstVariables();
  for (const { name, wordlist } of script.loops) {
    variables.set(name.value, (wordlist ?? []).map((word) => resolveText(word, variables)).join(" "));
  }
  const commands: RunningCommand[] = [];
  const printed: (string | null)[] = [];
  let folder = ".";
  for (const simple of script.commands) {
    assign(simple, variables);
    const words = wordsOf(simple, variables);
    printed.push(printedText(words));
    const input = inputOf(simple, printed, variables);
    const unfolded = unfold(simple, words, { folder, input, next });
    commands.push(...unfolded);
    for (const command of unfolded) folder = folderAfter(command);
  }
  next.push(...script.arithmeticBodies);
  const writesTo = script.redirects
    .filter(({ operator }) => operator !== "<" && operator !== "<&")
    .flatMap(({ target }) => (target ? [resolveText(target, variables)] : []));
  return { script, commands, writesTo };
}

function wordsOf({ node }: SimpleCommand, variables: Variables): string[] {
  const words = node.name ? [node.name, ...node.args] : [];
  return words.flatMap((word) => (word.type === "Word" ? resolveWord(word, variables) : [word.text]));
}

/** A command and, one inside the other, those that it runs. */
function unfold(
  within: SimpleCommand,
  words: readonly string[],
  { folder, input, next }: { folder: string; input: string | null; next: string[] },
): RunningCommand[] {
  const commands: RunningCommand[] = [];
  let open: (readonly string[])[] = [words];
  for (let depth = 0; depth < maxDepth && open.length > 0; depth += 1) {
    const inner: (readonly string[])[] = [];
    for (const current of open) {
      if (current.length === 0) continue;
      const command = { name: nameOf(current[0] ?? "", folder), words: current, folder, within };
      commands.push(command);
      const { commands: wrapped, scripts } = innerCommandsOf(command.name, current, input);
      inner.push(...wrapped);
      next.push(...scripts);
    }
    open = inner;
  }
  return commands;
}

function nameOf(word: string, folder: string): string {
  const known = word.replaceAll(unknownValue, "");
  if (!known.includes("/")) return known;
  const file = path.posix.join(known.startsWith("/") ? "/" : folder, known);
  return file.startsWith("/") || file.startsWith("../") ? path.posix.basename(file) : `./${file}`;
}

function folderAfter({ name, words, folder }: RunningCommand): string {
  if (name !== "cd" && name !== "pushd") return folder;
  const [to = homeFolder] = words.slice(1).filter((word) => !/^-[LPe@]+$|^--$/.test(word));
  if (to.includes(unknownValue) || to === "-") return ".";
  return to.startsWith("/") ? path.posix.normalize(to) : path.posix.join(folder, to);
}

/** Remembers `X=value`, also after `export` and the like, where some shells see plain words. */
function assign({ node }: SimpleCommand, variables: Variables): void {
  for (const part of [...node.prefix, ...node.suffix]) {
    if (part.type !== "Assignment" || part.value.type !== "Word") continue;
    const value = resolveText(part.value, variables);
    variables.set(part.name, part.append ? (variables.get(part.name) ?? "") + value : value);
  }
}

/** The text on a command's standard input, where the script spells it out. */
function inputOf({ node, pipedFrom }: SimpleCommand, printed: readonly (string | null)[], variables: Variables): string | null {
  const given = node.redirects.flatMap((redirect) => spelledOut(redirect, variables));
  if (given.length > 0) return given.join("\n");
  const before = pipedFrom
    ? printed.slice(Math.max(pipedFrom.start, pipedFrom.end - maxPiped), pipedFrom.end).filter((text) => text !== null)
    : [];
  return before.length > 0 ? before.join("\n") : null;
}

function spelledOut(redirect: Redirection, variables: Variables): string[] {
  if (redirect.type === "HereDoc") return [redirect.body.text];
  if (redirect.type !== "HereString" || !redirect.target) return [];
  return [resolveText(redirect.target, variables)];
}
