import type { Json, JsonObject } from "@/contracts/common";
import type { AskedCall, GuardedTool } from "../asked-call";
import { type ArgumentRole, roleOf } from "./argument-roles";
import { declaredLanguageOf, isShellNamed, sourcesOf } from "./declared-language";
import { quoted } from "./quoted";
import { tooMuch } from "./reading-budget";

/** Where a value stands in a call's arguments: its name or index, inside another place or at the top, which is at depth 1. */
export type Place = { inside: Place | null; name: string; depth: number };

export function placeIn(inside: Place | null, name: string): Place {
  return { inside, name, depth: inside === null ? 1 : inside.depth + 1 };
}

/** A command that a tool evidently runs. */
export type EvidentCommand = {
  /** What a shell would run. */
  text: string;
  /** The argument that it stands in, or that begins it. */
  place: Place;
  /** That argument by itself, where words of other arguments follow it. */
  written: string | null;
};

/** How far an object is known to hold commands: it runs what it is given, it is said to be in a shell's language, or neither. */
type Setting = "shell" | "source" | null;
type Item = { value: Json; place: Place | null; role: ArgumentRole | undefined; setting: Setting };

const maxCommands = 100;
const none: readonly EvidentCommand[] = [];

/**
 * Commands that a tool evidently runs, though it is none of our shell tools: an MCP tool with an argument `command`, at
 * any depth and as a text or as a list of words, or one that is called `bash`. They are looked at as any command of ours.
 * @throws Error when there are too many
 */
export function evidentCommands(call: Pick<AskedCall, "tool" | "arguments">): readonly EvidentCommand[] {
  const { tool, arguments: args } = call;
  // A tool for code of many languages, told to run this one as a shell does.
  if (tool.source === "builtin") return declaredLanguageOf(call) === "shell" ? sourcesAmong(call) : none;
  const isShell = runsShell(tool);
  const look = new Look();
  look.through(args, isShell ? "shell" : null);
  if (look.found.length > 0) return look.found;
  return isShell ? [...look.texts, ...look.rest] : look.texts;
}

function sourcesAmong(call: Pick<AskedCall, "tool" | "arguments">): EvidentCommand[] {
  const sources = new Set(sourcesOf(call));
  return Object.entries(call.arguments).flatMap(([name, value]) =>
    typeof value === "string" && sources.has(value) ? [{ text: value, place: placeIn(null, name), written: null }] : [],
  );
}

/** One look through the arguments of a call. Without recursion: a model may nest deeper than a stack goes. */
class Look {
  /** What is a command by its name. */
  readonly found: EvidentCommand[] = [];
  /** What is one where nothing else is: in a shell's call under names such as `text`. */
  readonly texts: EvidentCommand[] = [];
  /** The same under other names. */
  readonly rest: EvidentCommand[] = [];
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
      const member = placeIn(place, String(index));
      if (Array.isArray(value) && isCommand(role, setting)) this.noteList(this.found, value, member, role, []);
      this.open.push({ value, place: member, role, setting });
    }
  }

  private lookAtObject(object: JsonObject, { place, setting }: Item): void {
    let isPlain = setting === null;
    for (const name of Object.keys(object)) {
      const role = roleOf(name);
      isPlain &&= role === undefined;
      const value = object[name];
      if (value === null || typeof value !== "object") continue;
      const holdsCommand = role === "command" || role === "commands";
      this.open.push({ value, place: placeIn(place, name), role, setting: holdsCommand ? (setting ?? "shell") : setting });
    }
    if (!isPlain) this.lookAtArguments(object, place, setting);
  }

  private lookAtArguments(object: JsonObject, place: Place | null, outer: Setting): void {
    const args = Object.entries(object).map(([name, value]) => ({ name, value, role: roleOf(name) }));
    const isSource = args.some(({ role, value }) => role === "language" && typeof value === "string" && isShellNamed(value));
    const setting = isSource ? "source" : outer;
    const follow = args.flatMap(({ role, value }) => (role === "arguments" ? wordsOf(value) : []));
    const before = this.found.length;
    for (const { name, value, role } of args) {
      if (typeof value !== "string" && !Array.isArray(value)) continue;
      const at = placeIn(place, name);
      if (isCommand(role, setting) || (role === "program" && (follow.length > 0 || setting !== null))) {
        this.note(this.found, value, at, role, follow);
      } else if (role === "text" && setting !== null) this.note(this.texts, value, at, role, []);
      else if (outer === "shell" && (typeof value !== "string" || /\s/.test(value))) this.note(this.rest, value, at, role, []);
    }
    const first = args.find(({ role }) => role === "arguments");
    // A shell that is given nothing but arguments runs them.
    if (first && follow.length > 0 && setting !== null && this.found.length === before)
      this.found.push({ text: follow.join(" "), place: placeIn(place, first.name), written: null });
  }

  private note(found: EvidentCommand[], value: Json, place: Place, role: ArgumentRole | undefined, follow: readonly string[]): void {
    if (Array.isArray(value)) this.noteList(found, value, place, role, follow);
    if (typeof value !== "string" || value.trim() === "") return;
    if (follow.length === 0) found.push({ text: value, place, written: null });
    else found.push({ text: [value, ...follow].join(" "), place, written: value });
  }

  /** A list of words is one command, unless each of them is a line of its own: it is looked at as both. */
  private noteList(
    found: EvidentCommand[],
    values: readonly Json[],
    place: Place,
    role: ArgumentRole | undefined,
    follow: readonly string[],
  ): void {
    const words = listWords(values);
    if (words.length === 0) return;
    found.push({ text: [...words, ...follow].join(" "), place, written: null });
    const areLines = role === "commands" || role === "scripts";
    for (const [index, value] of values.entries()) {
      if (typeof value !== "string" || !(areLines ? value.trim() !== "" : /\s/.test(value))) continue;
      found.push({ text: value, place: placeIn(place, String(index)), written: null });
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

/** The words that a value is on a command line: a list's members, each a word; a text as it stands. */
function wordsOf(value: Json): string[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [/^\s*[[{]/.test(value) ? quoted(value) : value];
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
  return /^[\w./:=@%+,-]+$/.test(word) ? word : quoted(word);
}

/** Tools that are a shell by their own name. */
const shellWords = /^(?:shell|bash|zsh|sh|terminal|console|cmd|command|commands|powershell|pwsh|exec|subprocess)$/;
/** What a shell is for, where the name also says that something is run there. */
const machineWords =
  /^(?:ssh|remote|sandbox|vm|container|docker|podman|pod|kubectl|machine|instance|ssm|wsl|tmux|linux|unix|adb|host|server)$/;
const runWords = /^(?:execute|run|spawn|invoke|eval)$/;
/** What else a script can be for. */
const otherLanguage = /^(?:js|javascript|typescript|node|browser|page|evaluate|python|py|sql|r|ruby|lua|notebook|cell)$/;
const otherThing = /^(?:code|workflow|query|test|tests|agent|prompt|search|task|tool|model)$/;

/** A row of the registry is the same object from call to call. */
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
