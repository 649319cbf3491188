import type { Json, JsonObject } from "@/contracts/common";
import { quoteWord } from "../script/quote-word";
import { tooMuch } from "../script/reading-budget";
import { type ArgumentRole, findArgumentRole } from "./argument-roles";
import { findDeclaredLanguage, findSourceTexts, isShellNamed } from "./declared-language";
import type { GuardedTool, GuardRequest } from "./guard-request";

/** The place of a value in a call's arguments: its name or index, and the place around it. A top-level argument has depth 1. */
export type ArgumentPlace = { inside: ArgumentPlace | null; name: string; depth: number };

export function findArgumentPlace(inside: ArgumentPlace | null, name: string): ArgumentPlace {
  return { inside, name, depth: inside === null ? 1 : inside.depth + 1 };
}

/** A command that a tool evidently runs. */
export type CommandArgument = {
  /** The text that a shell would run. */
  text: string;
  /** The argument that contains the command or its beginning. */
  place: ArgumentPlace;
  /** The argument's own text when words of other arguments follow it; else null. */
  written: string | null;
};

/**
 * The evidence that an object holds commands: the tool runs what it is given, the call declares a shell's language, or
 * neither.
 */
type Setting = "shell" | "source" | null;
type Item = { value: Json; place: ArgumentPlace | null; role: ArgumentRole | undefined; setting: Setting };

const maxCommands = 100;
const none: readonly CommandArgument[] = [];

/**
 * Finds commands in the arguments of a tool that is not our shell tool: an MCP tool with an argument `command`, at any
 * depth, as text or as a list of words, or a tool called `bash`. The guard treats them as commands of our shell.
 * @throws Error when there are too many
 */
export function findCommandArguments(call: Pick<GuardRequest, "tool" | "arguments">): readonly CommandArgument[] {
  const { tool, arguments: args } = call;
  // A built-in tool for code of many languages runs a shell script when the call declares that language.
  if (tool.source === "builtin") return findDeclaredLanguage(call) === "shell" ? sourcesAmong(call) : none;
  const isShell = runsShell(tool);
  const look = new ArgumentWalker();
  look.through(args, isShell ? "shell" : null);
  if (look.found.length > 0) return look.found;
  return isShell ? [...look.texts, ...look.rest] : look.texts;
}

function sourcesAmong(call: Pick<GuardRequest, "tool" | "arguments">): CommandArgument[] {
  const sources = new Set(findSourceTexts(call));
  return Object.entries(call.arguments).flatMap(([name, value]) =>
    typeof value === "string" && sources.has(value) ? [{ text: value, place: findArgumentPlace(null, name), written: null }] : [],
  );
}

/** Walks through the arguments of a call. Iterates, because a model may nest deeper than the stack allows. */
class ArgumentWalker {
  /** Arguments that are commands by their names. */
  readonly found: CommandArgument[] = [];
  /** Arguments that are commands when no other argument is: in a shell's call under names such as `text`. */
  readonly texts: CommandArgument[] = [];
  /** The same, under any other name. */
  readonly rest: CommandArgument[] = [];
  private readonly open: Item[] = [];

  through(args: JsonObject, setting: Setting): void {
    this.open.push({ value: args, place: null, role: undefined, setting });
    for (let next = this.open.pop(); next !== undefined; next = this.open.pop()) {
      if (Array.isArray(next.value)) this.lookAtList(next.value, next);
      else if (next.value !== null && typeof next.value === "object") this.lookAtObject(next.value, next);
      if (this.found.length > maxCommands) throw tooMuch();
    }
  }

  private lookAtList(members: readonly Json[], { place, role, setting }: Item): void {
    for (const [index, value] of members.entries()) {
      if (value === null || typeof value !== "object") continue;
      const member = findArgumentPlace(place, String(index));
      if (Array.isArray(value) && isCommand(role, setting)) this.noteList(this.found, value, member, role, []);
      this.open.push({ value, place: member, role, setting });
    }
  }

  private lookAtObject(object: JsonObject, { place, setting }: Item): void {
    let isPlain = setting === null;
    for (const name of Object.keys(object)) {
      const role = findArgumentRole(name);
      isPlain &&= role === undefined;
      const value = object[name];
      if (value === null || typeof value !== "object") continue;
      const holdsCommand = role === "command" || role === "commands";
      this.open.push({ value, place: findArgumentPlace(place, name), role, setting: holdsCommand ? (setting ?? "shell") : setting });
    }
    if (!isPlain) this.lookAtArguments(object, place, setting);
  }

  private lookAtArguments(object: JsonObject, place: ArgumentPlace | null, outer: Setting): void {
    const args = Object.entries(object).map(([name, value]) => ({ name, value, role: findArgumentRole(name) }));
    const isSource = args.some(({ role, value }) => role === "language" && typeof value === "string" && isShellNamed(value));
    const setting = isSource ? "source" : outer;
    const follow = args.flatMap(({ role, value }) => (role === "arguments" ? wordsOf(value) : []));
    const before = this.found.length;
    for (const { name, value, role } of args) {
      if (typeof value !== "string" && !Array.isArray(value)) continue;
      const at = findArgumentPlace(place, name);
      if (isCommand(role, setting) || (role === "program" && (follow.length > 0 || setting !== null))) {
        this.note(this.found, value, at, role, follow);
      } else if (role === "text" && setting !== null) this.note(this.texts, value, at, role, []);
      else if (outer === "shell" && (typeof value !== "string" || /\s/.test(value))) this.note(this.rest, value, at, role, []);
    }
    const first = args.find(({ role }) => role === "arguments");
    // A shell that gets only arguments runs them.
    if (first && follow.length > 0 && setting !== null && this.found.length === before)
      this.found.push({ text: follow.join(" "), place: findArgumentPlace(place, first.name), written: null });
  }

  private note(
    found: CommandArgument[],
    value: Json,
    place: ArgumentPlace,
    role: ArgumentRole | undefined,
    follow: readonly string[],
  ): void {
    if (Array.isArray(value)) this.noteList(found, value, place, role, follow);
    if (typeof value !== "string" || value.trim() === "") return;
    if (follow.length === 0) found.push({ text: value, place, written: null });
    else found.push({ text: [value, ...follow].join(" "), place, written: value });
  }

  /** Notes a list of words as one command, and each of its lines as a command, because either may be meant. */
  private noteList(
    found: CommandArgument[],
    values: readonly Json[],
    place: ArgumentPlace,
    role: ArgumentRole | undefined,
    follow: readonly string[],
  ): void {
    const words = listWords(values);
    if (words.length === 0) return;
    found.push({ text: [...words, ...follow].join(" "), place, written: null });
    const areLines = role === "commands" || role === "scripts";
    for (const [index, value] of values.entries()) {
      if (typeof value !== "string" || !(areLines ? value.trim() !== "" : /\s/.test(value))) continue;
      found.push({ text: value, place: findArgumentPlace(place, String(index)), written: null });
      if (found.length > maxCommands) throw tooMuch();
    }
  }
}

function isCommand(role: ArgumentRole | undefined, setting: Setting): boolean {
  switch (role) {
    case "command":
    case "commands":
    case "words":
      return true;
    case "script":
    case "scripts":
      return setting !== null;
    case "text":
    case "program":
      return setting === "source";
    default:
      return false;
  }
}

/** Returns the words of a value on a command line: each member of a list is a word, a text stays as written. */
function wordsOf(value: Json): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [/^\s*[[{]/.test(value) ? quoteWord(value) : value];
  return Array.isArray(value) ? listWords(value) : [];
}

function listWords(members: readonly Json[]): string[] {
  return members.flatMap((member) =>
    typeof member === "string"
      ? [quotedIfNeeded(member)]
      : typeof member === "number" || typeof member === "boolean"
        ? [String(member)]
        : [],
  );
}

function quotedIfNeeded(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : quoteWord(word);
}

/** Words in a tool's name that make it a shell. */
const shellWords = /^(?:shell|bash|zsh|sh|terminal|console|cmd|command|commands|powershell|pwsh|exec|subprocess)$/;
/** Words for a machine; together with a verb of running they make a tool a shell. */
const machineWords =
  /^(?:ssh|remote|sandbox|vm|container|docker|podman|pod|kubectl|machine|instance|ssm|wsl|tmux|linux|unix|adb|host|server)$/;
const runWords = /^(?:execute|run|spawn|invoke|eval)$/;
/** Words for other things that a tool can run. */
const otherLanguage = /^(?:js|javascript|typescript|node|browser|page|evaluate|python|py|sql|r|ruby|lua|notebook|cell)$/;
const otherThing = /^(?:code|workflow|query|test|tests|agent|prompt|search|task|tool|model)$/;

/** Cache: a registered tool is the same object from call to call. */
const byTool = new WeakMap<GuardedTool, boolean>();

function runsShell(tool: GuardedTool): boolean {
  let known = byTool.get(tool);
  if (known === undefined) {
    known = isShellByName(tool.name);
    byTool.set(tool, known);
  }
  return known;
}

function isShellByName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (has(otherLanguage)) return false;
  return has(shellWords) || (has(machineWords) && has(runWords) && !has(otherThing));
}
