import type { OutputState } from "./output-watch";
import type { SessionReport } from "./session-report";

/** Runs commands in the workspace folder. */
export type ShellCapability = {
  /**
   * Runs a command with bash, or with sh when bash is missing, and waits for its end. Processes left behind by the
   * command are ended with it.
   * @throws AppError when the command cannot be started; the signal's reason after an abort, once every process has
   *   ended.
   */
  run(
    command: string,
    options: {
      timeoutMs: number;
      signal: AbortSignal;
      /** The most bytes read from each stream; longer output loses its middle, and a line says so. */
      maxBytesPerStream: number;
      /** Folder inside the workspace; default: its top. */
      cwd?: string;
      /** Variables beside those of every command. */
      environment?: Readonly<Record<string, string>>;
      /** Gives the command a terminal, so that programs which ask a person work; everything it prints is then stdout. */
      pty?: boolean;
      /** Reports the folder and the variables with which the shell ended. */
      reportsSession?: boolean;
      /** Hears of new output while the command runs, at most twice a second. */
      onOutput?: (state: OutputState) => void;
    },
  ): Promise<ShellResult>;
};

export type ShellResult = {
  /** -1 at the time limit; 128 + n when signal n ended the command. */
  exitCode: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** Absent when the shell did not say how it ended: it was killed, or replaced itself with `exec`. */
  session?: SessionReport;
  /** The command was stopped because it wrote more than 50 MB to a stream. */
  stoppedForOutput?: boolean;
  /** The command failed in a sandbox without network, and its output shows that it tried to use the network. */
  missedNetwork?: boolean;
  /** Sentences about connections of the command that failed. */
  networkTroubles?: readonly string[];
  /** Paths that people refused to have changed, where the output shows that the command failed to change one. */
  refusedPaths?: readonly string[];
  /** Files that run by themselves, which the command created without permission; they were renamed. */
  heldFiles?: readonly { path: string; now: string }[];
  /** Sentences about files that the command changed or deleted although the conversation had not made them. */
  changedFiles?: readonly string[];
};
