import type { Json, JsonObject } from "@/contracts/common";
import type { AskedCall } from "../asked-call";
import { declaredLanguageOf, sourcesOf } from "./declared-language";

/** Names of arguments that hold a command for a shell, whatever tool has them. */
const commandName =
  /^(?:commands?|cmds?|command_?line|cmd_?line|shell|shell_?(?:command|script|code)|bash|bash_?(?:command|script)|exec|run)$/i;
const scriptName = /^(?:scripts?|code|input)$/i;
const argumentsName = /^(?:args?|arguments|argv|params|parameters)$/i;
/** Tools that are a shell by their own name. */
const shellTool = /(?:^|[^a-z])(?:shell|bash|zsh|sh|terminal|console|cmd|command|commands|powershell|pwsh|exec|subprocess)(?:[^a-z]|$)/;
/** What else a script can be for. */
const otherLanguage =
  /(?:^|[^a-z])(?:js|javascript|typescript|node|browser|page|evaluate|python|py|sql|r|ruby|lua|notebook|cell)(?:[^a-z]|$)/;

/**
 * Commands that a tool evidently runs, though it is none of our shell tools: an MCP tool with the argument `command`, or
 * one that is called `bash`. They are looked at as any command of ours.
 */
export function evidentCommands(call: Pick<AskedCall, "tool" | "arguments">): string[] {
  const { tool, arguments: args } = call;
  const language = declaredLanguageOf(call);
  // A tool for code of many languages, told to run this one as a shell does.
  if (language === "shell") return sourcesOf(call);
  if (tool.source === "builtin") return [];
  const words = tool.name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const isShell = shellTool.test(words) && !otherLanguage.test(words);
  return commandsIn(args, isShell);
}

function commandsIn(args: JsonObject, isShell: boolean): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (!commandName.test(name) && !(isShell && scriptName.test(name))) continue;
    const rest = Object.entries(args).find(([other, words]) => argumentsName.test(other) && Array.isArray(words))?.[1];
    found.push(...commandLines(value, rest));
  }
  if (found.length === 0 && isShell) {
    for (const value of Object.values(args)) if (typeof value === "string" && /\s/.test(value)) found.push(value);
  }
  return found;
}

/** A text is a command line; a list of words is one command, unless each of them is a line of its own. */
function commandLines(value: Json, rest: Json | undefined): string[] {
  if (typeof value === "string") return [Array.isArray(rest) ? [value, ...textsOf(rest).map(quoted)].join(" ") : value];
  if (!Array.isArray(value)) return [];
  const words = textsOf(value);
  return words.length === 0 ? [] : [words.map(quoted).join(" "), ...words.filter((word) => /\s/.test(word))];
}

function textsOf(values: readonly Json[]): string[] {
  return values.filter((value) => typeof value === "string");
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
