import { assign, assignByCommand, begin, giveArguments } from "./assign-variables";
import { inputOf, wordsIn, wordsOf } from "./command-words";
import type { EvaluatedScripts } from "./evaluated-scripts";
import type { ShellScript, SimpleCommand } from "./read-script";
import type { ReadingBudget } from "./reading-budget";
import { wordBreak } from "./resolve-word";
import { everyRoundOf } from "./rounds";
import type { RunningCommand } from "./running-commands";
import { pipedText } from "./standard-output";
import { folderAfter, unfold } from "./unfold-command";
import type { Variables } from "./variables";

/** What a script has come to when its functions are called. */
export type Calling = {
  script: ShellScript;
  variables: Variables;
  /** Where scripts go that are read next. */
  next: string[];
  evaluated: EvaluatedScripts;
  budget: ReadingBudget;
  /** What each command of the script prints. */
  printed: (string | null)[];
};

/** Adds what functions do with what they are called with: `f() { rm -rf "$1"; }; f /`. */
export function callFunctions(calling: Calling, commands: RunningCommand[]): void {
  const { script, variables } = calling;
  const bodies = new Map<string, SimpleCommand[]>();
  for (const simple of script.commands) {
    for (const name of simple.functions) {
      const body = bodies.get(name);
      if (body) body.push(simple);
      else bodies.set(name, [simple]);
    }
  }
  if (bodies.size === 0) return;
  const calls = new Calls(calling, commands);
  const takes = calls.takeArguments();
  for (let at = 0; at < commands.length; at += 1) {
    const command = commands[at];
    const body = command && bodies.get(command.name);
    if (!command || !body || !((takes && command.words.length > 1) || command.input !== null)) continue;
    for (const words of calls.isOuter(at) ? inEachRound(command, script, variables) : [command.words]) {
      calls.follow(at, words.slice(1), body);
    }
  }
}

/** A call as it is in each round of the loops around it, and as it is with all that they run through. */
function inEachRound({ words, within }: RunningCommand, { loops }: ShellScript, variables: Variables): (readonly string[])[] {
  if (!within.inLoop || loops.length === 0) return [words];
  const names = new Set(loops.map(({ name }) => name.value));
  const rounds = everyRoundOf(wordsIn(within), variables, (name) => names.has(name));
  return [words, ...rounds.map((round) => variables.during(round, () => wordsOf(within, variables)))];
}

const takesArguments = /\$\{?[1-9@*]/;
/** So often a loop is gone through that takes one argument after the other: `while [ $# -gt 0 ]; do ls $1; shift; done`. */
const maxShifts = 32;
/** What it costs to read a command again, and to look at one that was not met before. */
const rereading = 1;
const looking = 9;

class Calls {
  private readonly known: Set<string>;
  /** By which functions a command is run. A function that calls itself is followed once. */
  private readonly callers: (readonly string[])[];
  private readonly loops: ShellScript["loops"];

  constructor(
    private readonly calling: Calling,
    private readonly commands: RunningCommand[],
  ) {
    this.known = new Set(commands.map(keyOf));
    this.callers = commands.map(() => []);
    this.loops = calling.script.loops.filter(({ wordlist }) => !wordlist || wordlist.some(({ text }) => takesArguments.test(text)));
  }

  /** Whether anything in the script depends on what its functions are called with. */
  takeArguments(): boolean {
    return this.loops.length > 0 || this.calling.script.commands.some(({ text }) => takesArguments.test(text));
  }

  /** Whether a command is one of the script itself, and of none of its functions. */
  isOuter(at: number): boolean {
    return this.callers[at]?.length === 0;
  }

  /** Adds what a function's body does when the command at a place calls it. */
  follow(at: number, args: readonly string[], body: readonly SimpleCommand[]): void {
    const { commands, callers } = this;
    const { name = "", folder = ".", input = null } = commands[at] ?? {};
    const outer = callers[at] ?? [];
    if (outer.filter((caller) => caller === name).length > 1) return;
    this.go(body, args, { folder, input });
    const looped = body.filter(({ inLoop }) => inLoop);
    if (looped.some(({ node }) => node.name?.value === "shift")) {
      for (let shifted = 1; shifted < Math.min(args.length, maxShifts); shifted += 1) {
        this.go(looped, args.slice(shifted), { folder, input });
      }
    }
    while (callers.length < commands.length) callers.push([...outer, name]);
  }

  private go(body: readonly SimpleCommand[], args: readonly string[], { folder, input: piped }: Pick<RunningCommand, "folder" | "input">) {
    const { script, variables, next, evaluated, budget, printed } = this.calling;
    giveArguments(args, variables);
    for (const loop of this.loops) begin(loop, variables);
    let inFolder = folder;
    for (const within of body) {
      assign(within, variables, budget);
      const words = wordsOf(within, variables);
      const input = inputOf(within, script, printed, variables) ?? (within.pipedFrom ? null : piped);
      budget.spend(rereading + 2 * within.node.prefix.length + (words.length >> 2) + ((input?.length ?? 0) >> 8));
      printed[within.index] = pipedText(words, input);
      assignByCommand(words, input, variables);
      // `eval '$1'`: what it is called with counts, though it is not in its words.
      const late = words.some((word) => word.includes("$")) ? args : [];
      const key = [keyOf({ words, within, folder: inFolder, input }), ...late].join(wordBreak);
      if (this.known.has(key)) continue;
      this.known.add(key);
      const first = this.commands.length;
      unfold({ words, folder: inFolder, within, input, next, evaluated, budget }, this.commands);
      evaluated.takeOver();
      for (const { words } of this.commands.slice(first)) budget.spend(looking + (words.length >> 2));
      inFolder = folderAfter(this.commands[first], inFolder);
    }
  }
}

const keyOf = ({ words, within, folder, input }: Pick<RunningCommand, "words" | "within" | "folder" | "input">): string =>
  [within.index, ...words, folder, input].join(wordBreak);
