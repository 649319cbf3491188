import "server-only";
import type { Readable, Writable } from "node:stream";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import type { KeepCopies } from "../keep-copies";
import type { BoxedProgramOptions } from "../sandbox/boxed-program";
import { trackCommand } from "./running-commands";
import { openTerminal } from "./terminal";
import { assertCommand, folderPath, signalExitCode, startCommand } from "./workspace-shell";

/** A command that runs until it ends by itself or is ended. */
export type WorkspaceProcess = {
  /** Output of the command, as UTF-8 pieces; the reader must read until the end. */
  output: readonly Readable[];
  /** Standard input, or the terminal. */
  input: Writable;
  /** Resolves with the exit code when all processes of the command have ended. */
  exited: Promise<number>;
  /** Returns sentences about its connections that failed so far. */
  networkTroubles(): readonly string[];
  /** Ends all processes of the command. */
  end(): Promise<void>;
};

export type ProcessStart = {
  command: string;
  cwd?: string;
  environment: Readonly<Record<string, string>>;
  pty: boolean;
};

/**
 * Starts a command that outlives its call, in the sandbox where this machine has one. It has no time limit, and ends with
 * this process at the latest.
 * @throws AppError when the command cannot be started
 */
export async function startWorkspaceProcess(
  root: string,
  { command, cwd = ".", environment, pty }: ProcessStart,
  { keepCopies, ...options }: Omit<BoxedProgramOptions, "root" | "environment" | "isLongRunning"> & { keepCopies: KeepCopies },
): Promise<WorkspaceProcess> {
  assertCommand(command);
  const folder = await folderPath(root, cwd);
  const finishCopies = await keepCopies();
  const terminal = pty ? openTerminal() : null;
  const streams = terminal
    ? { input: terminal.slave, output: terminal.slave, errors: terminal.slave, hasTerminal: true }
    : ({ input: "pipe", output: "pipe", errors: "pipe" } as const);
  const started = await startCommand({ command, folder, ...streams }, { root, ...options, environment, isLongRunning: true })
    .catch(async (error) => {
      await finishCopies();
      throw error;
    })
    .finally(() => terminal?.started());
  const { child } = started;
  const forget = trackCommand(started);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("exit", (code, killedBy) => resolve(code ?? signalExitCode(killedBy)));
    child.once("error", (error) => reject(new AppError("unavailable", `The command could not be started: ${toErrorMessage(error)}.`)));
  });
  const exited = ended.finally(async () => {
    await started.end();
    forget();
    await finishCopies().catch((error) => log().warn({ err: error }, "the files that a process changed could not be recorded"));
  });
  exited.catch(() => {});
  const input = terminal?.master ?? child.stdin;
  const output = terminal ? [terminal.master] : [child.stdout, child.stderr].filter((stream) => stream !== null);
  if (!input) throw new AppError("unavailable", "The command has no streams. Try again.");
  // A write to a command that has just ended is no error of ours.
  input.on("error", () => {});
  return { input, output, exited, networkTroubles: started.networkTroubles, end: () => started.end() };
}
