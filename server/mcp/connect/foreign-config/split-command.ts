import { existsSync } from "node:fs";
import path from "node:path";
import { withoutWindowsPath } from "./local-program";
import { isProgramLine } from "./read-program-line";
import { isShellLine, splitWords } from "./split-words";

/** A command's text as words; `isShellLine`: only a shell could run it. */
export type SplitCommand = { env: [string, string][]; command: string; args: string[]; isShellLine: boolean };

const assignment = /^\w+=/;
/**
 * Splits a command that was written with its arguments in one text: `npx -y server`. Nothing is expanded and no shell is asked.
 * A path with spaces stays whole. `hasArgs`: the arguments stand beside it.
 */
export function splitCommand(text: string, { hasArgs }: { hasArgs: boolean }): SplitCommand {
  const line = withoutWindowsPath(text.trim());
  const whole = { env: [], command: line, args: [], isShellLine: false };
  if (!/\s/.test(line) || /^[A-Za-z]:[\\/]/.test(line)) return whole;
  const isStart = isProgramLine(line) || assignment.test(line);
  if (!isStart && (hasArgs || (path.isAbsolute(line) && existsSync(line)))) return whole;
  const words = splitWords(line);
  const start = words.findIndex((word) => !assignment.test(word));
  const [command = "", ...args] = words.slice(Math.max(0, start));
  const env = words.slice(0, Math.max(0, start)).map((word): [string, string] => {
    const at = word.indexOf("=");
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return { env, command, args, isShellLine: isShellLine(line) || command === "cd" };
}
