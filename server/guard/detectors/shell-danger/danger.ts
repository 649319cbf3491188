import { isLongOption } from "../../shell/long-option";
import type { RunningCommand, RunningScript, ShellReading } from "../../shell/running-commands";
import type { Detector } from "../detector";

/** A danger of command lines, as the console lists it. */
export type Danger = Pick<Detector, "id" | "title" | "severity" | "verdict" | "explanation" | "fix"> & {
  /** The command does more than its name says: no allow rule that looks at commands covers it. */
  escapes: boolean;
};

/** A danger that was seen in a command line. */
export type Seen = {
  /** Id of the danger. */
  danger: string;
  /** What the command would do, as the end of a sentence that begins with "This command". */
  does: string;
  /** The piece that does it. */
  text: string;
};

/** What is known of one kind of danger. */
export type Family = {
  dangers: readonly Danger[];
  /** By the command's name: what is dangerous about a command. */
  ofCommand?: ReadonlyMap<string, CommandCheck>;
  ofEachCommand?: CommandCheck;
  ofScript?: (script: RunningScript, reading: ShellReading) => readonly Seen[];
};

export type CommandCheck = (command: RunningCommand, script: RunningScript) => readonly Seen[];

export const nothing: readonly Seen[] = [];

/** One sighting of a command. */
export function seen(danger: string, does: string, command: RunningCommand): readonly Seen[] {
  return [{ danger, does, text: command.words.join(" ") }];
}

export const argumentsOf = ({ words }: RunningCommand): readonly string[] => words.slice(1);

/** What is neither an option nor after one that takes a value; no program is known so well, so it is a guess. */
export const operandsOf = ({ words }: RunningCommand): readonly string[] => words.slice(1).filter((word) => !/^[-+]./.test(word));

/** Whether an argument is one of these long options, shortened or not. */
export const hasLong = (args: readonly string[], ...options: readonly string[]): boolean =>
  args.some((word) => options.some((option) => isLongOption(word, option)));

/** The same check for many names. */
export function forNames(names: readonly string[], check: CommandCheck): [string, CommandCheck][] {
  return names.map((name) => [name, check]);
}
