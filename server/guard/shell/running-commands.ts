import type { Redirect, Redirection } from "unbash";
import { assign, assignByCommand, begin } from "./assign-variables";
import { callFunctions } from "./call-functions";
import { inputOf, wordsIn, wordsOf } from "./command-words";
import { EvaluatedScripts } from "./evaluated-scripts";
import { readScript, type ShellScript, type SimpleCommand } from "./read-script";
import { ReadingBudget, tooMuch } from "./reading-budget";
import { resolveText } from "./resolve-word";
import { laterRoundsOf, roundsOf, textsOf, variablesIn } from "./rounds";
import { pipedText } from "./standard-output";
import { folderAfter, movesTo, type Unfolding, unfold } from "./unfold-command";
import { firstVariables, type Round, type Variables } from "./variables";
import { WrittenFiles, type WrittenTo } from "./written-files";

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
  /** What is written to files, by this script and all others of the same command line. */
  files: Pick<WrittenFiles, "isEmpty" | "isWritten" | "isUnread">;
};

/** A command line, read once for everybody who asks about it. */
export type ShellReading = {
  text: string;
  /** The text itself. */
  script: ShellScript;
  /** Everything that it would run: itself, and each script that it hands to another shell. */
  running: readonly RunningScript[];
  /** It was too much to be followed: its commands are known as they are written, and not as they run. */
  isCoarse: boolean;
};

/**
 * @param budget what is left to read of the call that the text is from
 * @throws Error for a text that would take too long to read
 */
export function readShell(text: string, budget = new ReadingBudget()): ShellReading {
  const script = readScript(text, budget);
  return { text, script, running: runningScripts(text, script, budget), isCoarse: false };
}

/** Scripts inside scripts are looked into so far; what lies deeper is too much. */
const maxDepth = 12;
/** What it costs to begin with a script, beside what stands in it. */
const beginning = 8;
/** Of more folders, redirections are not looked at in each. */
const maxFolders = 16;

/** Of a text that cannot be read whole, its pieces are read too, each by itself. */
export function runningScripts(text: string, first: ShellScript, budget: ReadingBudget): RunningScript[] {
  const found: RunningScript[] = [];
  const files = new WrittenFiles(budget);
  const known = new Map([[text, first]]);
  const read = (script: string) => {
    const before = known.get(script) ?? readScript(script, budget);
    known.set(script, before);
    return before;
  };
  const seen = new Set([text]);
  let open: readonly string[] = [text];
  for (let depth = 0; open.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooMuch();
    const next: string[] = [];
    for (const script of open) {
      const { joined, unreadable } = read(script);
      if (depth > 0) budget.spend(beginning);
      found.push(runScript(script, { files, read, next, budget }));
      if (joined !== null) next.push(joined);
      if (unreadable) next.push(...script.split(/[\n;|&(){}`]+/));
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

type Running = { files: WrittenFiles; read: (text: string) => ShellScript; next: string[]; budget: ReadingBudget };

function runScript(text: string, { files, read, next, budget }: Running): RunningScript {
  const script = read(text);
  const variables = firstVariables();
  const evaluated = new EvaluatedScripts({ variables, functions: new Map(script.functions), files }, read, budget);
  for (const loop of script.loops) begin(loop, variables);
  const begun = variables.now;
  const commands: RunningCommand[] = [];
  const printed: (string | null)[] = [];
  const later: { simple: SimpleCommand; folder: string; input: string | null; moment: number }[] = [];
  const targets = new Map<Redirect, readonly string[]>();
  let standing: string | null = null;
  let folder = ".";
  const folders = new Set([folder]);
  for (const simple of script.commands) {
    const give = (giving: () => void) => (simple.mayNotLast ? variables.perhaps(giving) : giving());
    give(() => assign(simple, variables, budget));
    const words = wordsOf(simple, variables);
    budget.spend(words.length >> 2);
    const given = inputOf(simple, script, printed, variables) ?? textReadFrom(simple, { variables, files, folder });
    const input = given ?? (simple.pipedFrom ? null : standing);
    // `exec <<< text` is for all that come after it.
    if (words.length === 1 && words[0] === "exec") standing = given ?? standing;
    const text = pipedText(words, input) ?? (words[0] === "cat" ? files.textOf(words[1] ?? "", folder) : null);
    printed.push(text);
    if (simple.node.redirects.length > 0 || words.length > 1) {
      files.note(text, words, { redirected: writtenTo(simple, variables), folder, isAll: isAllOf(simple, script, words, printed) });
    }
    give(() => assignByCommand(words, input, variables));
    if (simple.repeats) later.push({ simple, folder, input, moment: variables.now });
    else
      for (const redirect of simple.node.redirects)
        if (redirect.type === "Redirect") targets.set(redirect, targetsOf(redirect, variables, { ever: false, budget }));
    const firstNew = commands.length;
    const rounds = roundsOf(wordsIn(simple), variables);
    // All values of a loop at once, where there are no rounds. Where it is then, its first round says.
    if (rounds.length === 0 || movesTo(words)) unfold({ words, folder, within: simple, input, next, evaluated, budget }, commands);
    let firstEnd = commands.length;
    for (const round of rounds) {
      unfoldRound(round, { folder, within: simple, input, next, evaluated, budget }, variables, commands);
      if (firstEnd === firstNew) firstEnd = commands.length;
    }
    for (let at = firstNew; at < firstEnd; at += 1) folder = folderAfter(commands[at], folder);
    if (folders.size < maxFolders) folders.add(folder);
    evaluated.takeOver();
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
      unfoldRound(round, { ...rest, within: simple, next, evaluated, budget }, variables, commands);
    }
  }
  callFunctions({ script, variables, next, evaluated, budget, printed }, commands);
  next.push(...evaluated.callsAmong(commands));
  next.push(...script.arithmeticBodies);
  const noted = new Set(script.commands.flatMap(({ node }) => node.redirects.filter(printsTo)));
  const opened = script.redirects.map((redirect) => ({
    isNoted: noted.has(redirect),
    writes: redirect.operator !== "<" && redirect.operator !== "<&",
    files: targets.get(redirect) ?? targetsOf(redirect, variables, { ever: true, budget }),
  }));
  const opens = opened.flatMap(({ files }) => files);
  const writesTo = opened.flatMap(({ writes, files }) => (writes ? files : []));
  // What is redirected to a group, a loop or a function is what all in it prints.
  for (const { writes, isNoted, files: targets } of opened) if (writes && !isNoted) for (const file of targets) files.noteUnread(file);
  return { script, commands, folders: [...folders], writesTo, opens, files };
}

type Place = { variables: Variables; files: WrittenFiles; folder: string };

/** What a command reads from a file that the script has written. */
function textReadFrom({ node, redirected }: SimpleCommand, { variables, files, folder }: Place): string | null {
  for (const redirect of [...node.redirects, ...redirected]) {
    if (redirect.type !== "Redirect" || redirect.operator !== "<" || !redirect.target) continue;
    const text = files.textOf(resolveText(redirect.target, variables), folder);
    if (text !== null) return text;
  }
  return null;
}

/** Whether what a command prints goes there; `2> x` and `{out}> x` are for something else. */
const printsTo = ({ operator, descriptor }: Redirection): boolean =>
  /^&?>[>|]?$/.test(operator) && (descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 1));

/** Whether what a command is known to print is all that it prints, whenever it runs. */
function isAllOf(
  { node, pipedFrom, repeats, text }: SimpleCommand,
  { hereDocuments }: ShellScript,
  [name]: readonly string[],
  printed: readonly (string | null)[],
): boolean {
  if (repeats && /[$`]/.test(text)) return false;
  for (const redirect of node.redirects) {
    if (redirect.type !== "HereDoc" || redirect.delimiter?.quoted) continue;
    if (/[$`]/.test(hereDocuments.get(redirect.body.text) ?? redirect.body.text)) return false;
  }
  if (!pipedFrom || name === "echo" || name === "printf") return true;
  return printed.slice(pipedFrom.start, pipedFrom.end).every((text) => text !== null);
}

function writtenTo({ node }: SimpleCommand, variables: Variables): readonly WrittenTo[] {
  return node.redirects.flatMap((redirect) => {
    if (redirect.type !== "Redirect" || !redirect.target || !printsTo(redirect)) return [];
    return [{ target: resolveText(redirect.target, variables), appends: redirect.operator.endsWith(">>") }];
  });
}

/** The files that a redirection may open. */
function targetsOf({ target }: Redirect, variables: Variables, when: { ever: boolean; budget: ReadingBudget }): readonly string[] {
  return target ? textsOf(target, variables, when, () => resolveText(target, variables)) : [];
}

/** Adds a command as it is in one round of a loop. */
function unfoldRound(round: Round, unfolding: Omit<Unfolding, "words">, variables: Variables, commands: RunningCommand[]): void {
  const words = variables.during(round, () => wordsOf(unfolding.within, variables));
  unfolding.budget.spend(6 + (words.length >> 2));
  unfold({ ...unfolding, words }, commands);
}
