import type { Json, JsonObject } from "@/contracts/common";

/** One argument of a call, as a person reads it best. */
export type ShownArgument =
  /** A command line: what runs. */
  | { kind: "command"; name: string; text: string }
  /** A text of its own, such as what a file will hold. */
  | { kind: "text"; name: string; text: string; lines: number; bytes: number }
  /** A short value on one line: a path, an address, a number, a flag. */
  | { kind: "value"; name: string; text: string }
  /** A structure, indented. */
  | { kind: "json"; name: string; text: string };

const commandNames = new Set(["command", "cmd", "script", "shell", "commandline", "command_line"]);
const textNames = new Set(["content", "contents", "text", "body", "code", "newtext", "oldtext", "new_text", "old_text", "patch", "diff"]);
const longestValue = 120;

/**
 * Arguments in the order in which they tell the story: the one that the call is about, then the short ones, then texts and
 * structures. Nothing is left out and nothing is changed.
 */
export function argumentsToShow(args: JsonObject, primaryArgument: string | null): ShownArgument[] {
  const shown = Object.entries(args).map(([name, value]) => show(name, value, name === primaryArgument));
  return shown.toSorted((a, b) => place(a, primaryArgument) - place(b, primaryArgument));
}

function show(name: string, value: Json, isPrimary: boolean): ShownArgument {
  if (typeof value === "string") {
    if (commandNames.has(name.toLowerCase()) && (isPrimary || value.length > 0)) return { kind: "command", name, text: value };
    const isText = textNames.has(name.toLowerCase()) || value.includes("\n") || value.length > longestValue;
    return isText
      ? { kind: "text", name, text: value, lines: countLines(value), bytes: countBytes(value) }
      : { kind: "value", name, text: value };
  }
  if (value !== null && typeof value === "object") {
    const oneLine = JSON.stringify(value);
    return oneLine.length <= 60 && isFlat(value)
      ? { kind: "value", name, text: oneLine }
      : { kind: "json", name, text: JSON.stringify(value, null, 2) };
  }
  return { kind: "value", name, text: String(value) };
}

function place(argument: ShownArgument, primaryArgument: string | null): number {
  if (argument.name === primaryArgument) return 0;
  return { command: 1, value: 2, json: 3, text: 4 }[argument.kind];
}

function isFlat(value: object): boolean {
  return Object.values(value).every((member) => member === null || typeof member !== "object");
}

function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
