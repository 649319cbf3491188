import type { Json } from "@/contracts/common";
import { type AskedCall, shellCommandOf } from "./asked-call";
import { evidentCommands } from "./shell/evident-commands";
import { readShell, type ShellReading } from "./shell/running-commands";

/** A text inside a call's arguments. */
export type ArgumentText = {
  /** The innermost name that it stands under: `path` for `{ files: [{ path: "a" }] }`. */
  name: string;
  text: string;
};

/** A call, looked through once for everybody who judges it. */
export type CallOnTrial = AskedCall & {
  /** The command of a shell tool; null for every other tool. Rules see this one. */
  shell: ShellReading | null;
  /** Everything in the call that a shell would run. The floor and detectors see all of them. */
  scripts: readonly ShellReading[];
  /** Every text of the arguments, at any depth. */
  texts: readonly ArgumentText[];
};

/** Reads a call, once for the floor, the detectors and every rule. */
export function onTrial(call: AskedCall): CallOnTrial {
  const command = shellCommandOf(call);
  const shell = command === null ? null : readShell(command);
  const scripts = shell ? [shell] : evidentCommands(call).map(readShell);
  return { ...call, shell, scripts, texts: textsIn(call.arguments) };
}

/** Every text inside a value. Without recursion: a model may nest deeper than a stack goes. */
function textsIn(value: Json): ArgumentText[] {
  const texts: ArgumentText[] = [];
  const open: { name: string; value: Json }[] = [{ name: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (typeof value === "string") texts.push({ name, text: value });
    else if (Array.isArray(value)) for (const member of value.toReversed()) open.push({ name, value: member });
    else if (value && typeof value === "object")
      for (const [key, member] of Object.entries(value).toReversed()) open.push({ name: key, value: member });
  }
  return texts;
}
