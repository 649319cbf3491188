import type { Effect, EffectTarget } from "@/contracts/decisions/effects";
import { locateUrl } from "../hosts/locate-host";
import type { PathContext } from "../paths/locate-path";
import { addressesInCode, type CodeInCommand, commandsInCode, runsDownload } from "../programs/commands-in-code";
import type { ContentSource } from "../programs/content-sources";
import type { ResolvedCommand } from "../script/resolved-command";
import type { ShellWord } from "../script/words";

/** A note for the approver: its detector, and the end of a sentence that begins with "This command". */
export type Note = Span & { detector: string; says: string; text: string };
export type Span = { start: number; end: number };
/** An effect whose evidence is a range of the script, and not yet of an argument. */
export type ScriptEffect = Span &
  Omit<Effect, "evidence"> & {
    /** The read follows the links that it meets. */
    followsLinks?: true;
  };
type More = Partial<Omit<ScriptEffect, "kind" | "target" | keyof Span>>;

/** The effects, notes and programs of a script's commands. */
export class Collector {
  readonly effects: ScriptEffect[] = [];
  readonly notes: Note[] = [];
  readonly commands: ResolvedCommand[] = [];
  /** Files whose contents decide what the commands do. */
  readonly contents: ContentSource[] = [];
  /** Programs in other languages inside the script. */
  readonly codes: CodeInCommand[] = [];

  constructor(
    readonly surroundings: PathContext,
    /** Reads a script inside a word. */
    readonly runScript: (text: string, word: ShellWord, command: ResolvedCommand) => void,
  ) {}

  add(kind: Effect["kind"], target: EffectTarget, { start, end }: Span, more: More = {}): void {
    this.effects.push({ kind, target, start, end, ...more });
  }

  note(detector: string, says: string, text: string, { start, end }: Span): void {
    this.notes.push({ detector, says, text, start, end });
  }

  /** Adds a program of which nobody knows what it does, with a note that says why. */
  addUnknown(detector: string, says: string, text: string, at: Span): void {
    this.add("execute", { where: "not_known" }, at);
    this.note(detector, says, text, at);
  }

  /** Adds a program in another language, as far as its text shows what it does: commands that it starts and connections. */
  addCode(text: string, word: ShellWord, command: ResolvedCommand): void {
    this.codes.push({ program: command.name, text });
    for (const inner of commandsInCode(command.name, text)) this.runScript(inner, word, command);
    for (const value of addressesInCode(text)) this.add("connect", locateUrl({ value }, this.surroundings.sandboxed), word);
    if (runsDownload(text)) this.note("shell.download_and_run", "runs a download unread", text, word);
  }
}
