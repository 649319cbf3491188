import { assign, assignByCommand } from "./assign-variables";
import { inputOf, wordsOf } from "./command-words";
import type { Belongings } from "./inherited";
import { quoted } from "./quoted";
import type { ShellScript } from "./read-script";
import type { ReadingBudget } from "./reading-budget";
import type { RunningCommand } from "./running-commands";

/** What may change what the script has that evaluates it. */
const maySet = /[A-Za-z_\]]\+?=|\b(?:read|set|shift|printf|unset|declare|export|alias)\b|\(\s*\)|\bfunction\b/;

/** Scripts that run in the shell itself, `eval x=/`: what they set is set for all that comes after them. */
export class EvaluatedScripts {
  /** Where scripts are put that are found to be evaluated. */
  readonly found: string[] = [];
  private readonly aliases = new Map<string, string>();
  /** Functions that are defined in such scripts only. */
  private readonly functions = new Map<string, string>();

  constructor(
    readonly belongings: Belongings & { functions: Map<string, string> },
    private readonly read: (text: string) => ShellScript,
    private readonly budget: ReadingBudget,
  ) {}

  /** Takes over what those set that were found since the last time. */
  takeOver(): void {
    for (const text of this.found.splice(0)) {
      if (!maySet.test(text)) continue;
      const script = this.read(text);
      for (const [name, definition] of script.functions) {
        this.functions.set(name, definition);
        this.belongings.functions.set(name, definition);
      }
      const { variables } = this.belongings;
      for (const simple of script.commands) {
        assign(simple, variables, this.budget);
        assignByCommand(wordsOf(simple, variables), inputOf(simple, script, [], variables), variables);
      }
    }
  }

  /** What commands are that call such a function, or an alias, each as a script. */
  callsAmong(commands: readonly RunningCommand[]): readonly string[] {
    const calls: string[] = [];
    for (const { name, words } of commands) if (name === "alias") this.noteAliases(words.slice(1));
    if (this.functions.size === 0 && this.aliases.size === 0) return calls;
    for (const { name, words } of commands) {
      const definition = this.functions.get(name);
      if (definition !== undefined) calls.push(`${definition}\n${words.map(quoted).join(" ")}`);
      const alias = this.aliases.get(name);
      if (alias !== undefined) calls.push([alias, ...words.slice(1).map(quoted)].join(" "));
    }
    return calls;
  }

  private noteAliases(words: readonly string[]): void {
    for (const word of words) {
      const end = word.indexOf("=");
      if (end > 0) this.aliases.set(word.slice(0, end), word.slice(end + 1));
    }
  }
}
