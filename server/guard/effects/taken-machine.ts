import type { Effect } from "@/contracts/decisions/effects";
import { noSensitivePaths } from "../paths/sensitive-globs";
import { findProgram } from "../programs/programs";
import { ReadingBudget } from "../script/reading-budget";
import { effectsOfScript, type ShellReading } from "./effects-of-script";

/** Whose rights a program has when its arguments are free: those of this machine, or of others to which it connects. */
export type TakenMachine = "this" | "another";

/** Stands for words that a program's own table does not know. */
const anyWord = "x";
const setsUpMachine = "shell.machine_setup";

/** Returns whose machine a program has in its hands when any arguments may follow its name; null for other programs. */
export function takenMachine(name: string): TakenMachine | null {
  const spec = findProgram(name, "literal");
  if (!spec) return null;
  const free = [read(`${name} ${anyWord}`), read(`${name} ${anyWord} ${anyWord}`)];
  const isElevated = free.every(({ effects }) => effects.some(elevates));
  // `date x` sets the clock, while `date` is a program that looks. An installation runs scripts of the package as root.
  const isSetting = free.every(({ notes }) => notes.every(({ detector }) => detector === setsUpMachine));
  if (isElevated && (!isSetting || spec.subcommands !== undefined || read(name).effects.some(elevates))) return "this";
  const subcommands = Object.keys(spec.subcommands ?? {}).flatMap((names) => names.split(" "));
  const further = subcommands.map((subcommand) => read(`${name} ${subcommand} ${anyWord}`));
  return [...free, ...further].some(({ effects }) => effects.some(runsElsewhere)) ? "another" : null;
}

const elevates = ({ kind }: Pick<Effect, "kind">): boolean => kind === "elevate" || kind === "schedule";

/** A command for another machine or a cluster: no file of this machine, and no word of the command. */
const runsElsewhere = ({ kind, target }: Pick<Effect, "kind" | "target">): boolean =>
  kind === "execute" && target.where === "outside" && target.path === undefined;

const read = (command: string): ShellReading =>
  effectsOfScript(command, { root: undefined, sandboxed: false, sensitivePaths: noSensitivePaths }, new ReadingBudget());
