import type { JsonObject } from "@/contracts/common";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { ShellResult } from "@/server/capabilities/shell/shell";
import { type RichResult, toolResult } from "@/server/tools/define-tool";
import { readableText } from "./readable-text";
import { registryNote } from "./registry-note";

type ShownResult = {
  /** The time limit. */
  seconds: number;
  /** The folder in which the next command starts. */
  folder?: string;
  notes?: readonly string[];
  pty?: boolean;
  /** Advice for a command that missed the network. */
  noNetwork?: string;
};

const noNetwork = "the sandbox has no network. Name the hosts that the command needs in `hosts`.";

/** Returns one line about the end of the command, then its output. */
export function presentResult(result: ShellResult, shown: ShownResult): RichResult {
  const { seconds, folder = ".", pty = false } = shown;
  const { refusedPaths = [] } = result;
  const registry = result.exitCode === 0 ? null : registryNote(`${result.stderr}\n${result.stdout}`, { isBoxed: sandboxStatus().isOn });
  const notes = [
    ...(shown.notes ?? []),
    ...(result.networkTroubles ?? []),
    ...(registry === null ? [] : [registry]),
    ...(refusedPaths.length > 0 ? [refusedNote(refusedPaths)] : []),
    ...(result.heldFiles ?? []).map(heldNote),
    ...(result.changedFiles ?? []),
  ];
  const { exitCode, timedOut } = result;
  const stdout = readableText(result.stdout, pty);
  const stderr = readableText(result.stderr, pty);
  const output = [stdout, ...(stderr === "" ? [] : [`${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}[stderr]\n`, stderr])];
  const where = folder === "." ? "" : `\n[folder: ${folder}]`;
  const sections = [
    `${endingOf(result, seconds, shown.noNetwork ?? noNetwork)}${where}${notes.map((note) => `\n[${note}]`).join("")}\n`,
    ...(stdout + stderr === "" ? ["(no output)"] : output),
  ];
  return toolResult({
    text: sections.join(""),
    sections,
    structuredContent: structured(result, stdout, stderr),
    ...(exitCode === 0 ? {} : { isError: true, ...(timedOut ? { isTimedOut: true } : { isAnswer: true }) }),
  });
}

/** Characters of a stream in the structured content, which is kept beside the result. */
const maxStructuredChars = 3_800;

/**
 * Returns the result for programs. A longer stream is left out and not cut, because half a secret is not recognised as one;
 * the text has its beginning and end.
 */
function structured({ exitCode, timedOut, stoppedForOutput = false }: ShellResult, stdout: string, stderr: string): JsonObject {
  const isLong = (text: string) => JSON.stringify(text).length > maxStructuredChars;
  return {
    exitCode,
    stdout: isLong(stdout) ? "" : stdout,
    stderr: isLong(stderr) ? "" : stderr,
    timedOut,
    truncated: isLong(stdout) || isLong(stderr) || stoppedForOutput,
  };
}

/** Returns notes for a model that has lost its folder: file tools know no current one, and a second `cd` leads nowhere. */
export function folderNotes({ stderr }: ShellResult, before: string, folder: string): string[] {
  const missing = /\bcd: ([^\n:]+): No such file or directory/.exec(stderr)?.[1]?.replace(/^\.\/|\/+$/g, "");
  const isThere = missing !== undefined && (folder === missing || folder.endsWith(`/${missing}`));
  return [
    ...(isThere ? [`The commands are in ${folder} already.`] : []),
    ...(folder !== before && folder !== "." ? [`Paths of file tools begin at the workspace: ${folder}/…`] : []),
  ];
}

const maxRefused = 3;

function refusedNote(paths: readonly string[]): string {
  const more = paths.length > maxRefused ? ` and ${paths.length - maxRefused} more` : "";
  const names = `${paths.slice(0, maxRefused).join(", ")}${more}`;
  return `${names} ${paths.length > 1 ? "are" : "is"} read-only here, because people refused to have ${paths.length > 1 ? "them" : "it"} changed. To change ${paths.length > 1 ? "one" : "it"}, name it in a command of its own, such as rm ${paths[0]}: that asks again.`;
}

const heldNote = ({ path, now }: { path: string; now: string }) =>
  `${path} runs by itself and nobody allowed it, so it was renamed to ${now}. To keep it, write ${path} in a call of its own, which asks.`;

function endingOf({ exitCode, timedOut, stoppedForOutput, missedNetwork }: ShellResult, seconds: number, noNetwork: string): string {
  const ending = `exit code ${exitCode}`;
  if (timedOut) return `${ending}: stopped after ${seconds} seconds. Raise timeoutSeconds (at most 300), or do less at once.`;
  if (stoppedForOutput) return `${ending}: stopped, because it printed too much. Send its output to a file, or print less.`;
  if (missedNetwork) return `${ending}: ${noNetwork}`;
  return ending;
}
