import { findDeclaredLanguage } from "./declared-language";
import type { GuardRequest } from "./guard-request";
import { runsCommands } from "./tool-facts";

/** Returns the text that a shell would run, for a shell tool; null for every other tool, and for code of another language. */
export function findShellCommand({ tool, arguments: args }: Pick<GuardRequest, "tool" | "arguments">): string | null {
  const { primaryArgument } = tool;
  if (!runsCommands(tool) || primaryArgument === null || !Object.hasOwn(args, primaryArgument)) return null;
  const language = findDeclaredLanguage({ tool, arguments: args });
  if (language !== null && language !== "shell") return null;
  const command = args[primaryArgument];
  return typeof command === "string" ? command : null;
}
