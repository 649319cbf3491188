import type { Json } from "@/contracts/common";
import { type AskedCall, shellCommandOf } from "./asked-call";
import { type FirstLook, firstLook } from "./first-look";
import { readShellOrCoarsely } from "./shell/coarse-reading";
import { evidentCommands, type Place, placeIn } from "./shell/evident-commands";
import { ReadingBudget } from "./shell/reading-budget";
import type { ShellReading } from "./shell/running-commands";

/** A text inside a call's arguments. */
export type ArgumentText = {
  /** The innermost name that it stands under: `path` for `{ files: [{ path: "a" }] }`. */
  name: string;
  text: string;
  look: FirstLook;
};

/** A command in a call, and where it stands. */
export type CommandOfCall = {
  reading: ShellReading;
  place: Place;
  /** The argument at its place by itself, where words of other arguments follow it in the command. */
  written: string | null;
};

/** A call, looked through once for everybody who judges it. */
export type CallOnTrial = AskedCall & {
  /** The command of a shell tool; null for every other tool. */
  shell: ShellReading | null;
  /** Every command of the call, also of a tool that evidently runs one. Patterns of rules see them as commands. */
  commands: readonly CommandOfCall[];
  /** Everything in the call that a shell would run. The same commands, without where they stand. */
  scripts: readonly ShellReading[];
  /** Every text of the arguments, at any depth. */
  texts: readonly ArgumentText[];
};

/** Reads a call, once for the floor, the detectors and every rule. */
export function onTrial(call: AskedCall): CallOnTrial {
  const command = shellCommandOf(call);
  const shell = command === null ? null : readShellOrCoarsely(command);
  const commands = shell ? [{ reading: shell, place: placeIn(null, primaryNameOf(call)), written: null }] : otherCommandsOf(call);
  const scripts = commands.length === 0 ? noScripts : commands.map(({ reading }) => reading);
  return { ...call, shell, commands, scripts, texts: textsIn(call.arguments) };
}

/** The same for those who look at calls of others; null when one is too much to be read, which a decision about it then says. */
export function onTrialIfReadable(call: AskedCall): CallOnTrial | null {
  try {
    return onTrial(call);
  } catch {
    return null;
  }
}

const noScripts: readonly ShellReading[] = [];
const noCommands: readonly CommandOfCall[] = [];
const primaryNameOf = ({ tool }: AskedCall) => String(tool.primaryArgument);

/** Commands of a tool that is not our shell, all read with one budget. */
function otherCommandsOf(call: AskedCall): readonly CommandOfCall[] {
  const evident = evidentCommands(call);
  if (evident.length === 0) return noCommands;
  const budget = new ReadingBudget();
  return evident.map(({ text, place, written }) => ({ reading: readShellOrCoarsely(text, budget), place, written }));
}

/** Every text inside a value. Without recursion: a model may nest deeper than a stack goes. */
function textsIn(value: Json): ArgumentText[] {
  const texts: ArgumentText[] = [];
  const open: { name: string; value: Json }[] = [{ name: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (typeof value === "string") texts.push({ name, text: value, look: firstLook(value) });
    else if (Array.isArray(value)) for (const member of value.toReversed()) open.push({ name, value: member });
    else if (value && typeof value === "object")
      for (const [key, member] of Object.entries(value).toReversed()) open.push({ name: key, value: member });
  }
  return texts;
}
