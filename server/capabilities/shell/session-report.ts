import "server-only";
import type { FileHandle } from "node:fs/promises";
import { realpath } from "node:fs/promises";
import path from "node:path";
import { isWithin } from "../sandbox/protected-paths";
import { openNameless } from "./command-outputs";

/** The file descriptor of the report in the command's shell. */
export const reportDescriptor = 7;

/** The folder and variables that a command's shell left at its end. The command may write anything here, so the report is checked like its output. */
export type SessionReport = {
  /** Relative to the workspace; null when the shell ended in a folder outside the workspace. */
  folder: string | null;
  /** Exported variables; those of the start that kept their value are in `unchanged`. */
  changed: Record<string, string>;
  unchanged: readonly string[];
};

/** A nameless file: first the script that bash reads before the command, then what the script reports at the end. */
export type OpenReport = { file: FileHandle; scriptBytes: number };

const maxReportBytes = 1_000_000;
/** Variables that the shell itself keeps. */
const ofTheShell = new Set(["PWD", "OLDPWD", "SHLVL", "_", "BASH_ENV", "HANDRAIL_COMMAND"]);

/**
 * Bash runs the file that BASH_ENV names before the command, so the command's own text, its line numbers and its exit
 * code stay as they are. A command that replaces the shell (`exec`) or its EXIT trap reports nothing.
 */
const script = `unset BASH_ENV
trap '{ builtin pwd -P && builtin printf "\\0" && /usr/bin/env -0; } 2>/dev/null >&${reportDescriptor}' EXIT
`;

/** The variables that a shell needs to report. */
export const reportEnvironment = { BASH_ENV: `/dev/fd/${reportDescriptor}` } as const;

export async function openReport(): Promise<OpenReport> {
  const file = await openNameless();
  await file.write(script, 0);
  return { file, scriptBytes: Buffer.byteLength(script) };
}

/**
 * Reads what the shell reported.
 * @param given the variables with which the command was started
 * @returns null when the shell reported nothing
 */
export async function readReport(
  { file, scriptBytes }: OpenReport,
  root: string,
  given: Readonly<Record<string, string>>,
): Promise<SessionReport | null> {
  const { size } = await file.stat();
  if (size <= scriptBytes || size - scriptBytes > maxReportBytes) return null;
  const bytes = Buffer.alloc(size - scriptBytes);
  await file.read(bytes, 0, bytes.length, scriptBytes);
  // The last entry ends with NUL, too; without it the shell was killed while it reported.
  const [folder, ...entries] = bytes.toString("utf8").split("\0");
  if (folder === undefined || entries.pop() !== "") return null;
  const changed: Record<string, string> = {};
  const unchanged: string[] = [];
  for (const entry of entries) {
    const at = entry.indexOf("=");
    const name = entry.slice(0, at);
    if (!/^[A-Za-z_]\w*$/.test(name) || ofTheShell.has(name)) continue;
    const value = entry.slice(at + 1);
    if (given[name] === value) unchanged.push(name);
    else changed[name] = value;
  }
  return { folder: await relativeFolder(folder.replace(/\n$/, ""), root), changed, unchanged };
}

async function relativeFolder(folder: string, root: string): Promise<string | null> {
  const real = await realpath(root).catch(() => root);
  if (!path.isAbsolute(folder) || !isWithin(path.normalize(folder), real)) return null;
  return path.relative(real, folder) || ".";
}
