/** Runs commands in the workspace folder. */
export type ShellCapability = {
  /**
   * Runs a command with /bin/sh and waits for its end. Whatever it left running is ended with it.
   * @throws AppError when it cannot be started; the signal's reason when that was aborted, after everything was ended.
   */
  run(
    command: string,
    options: {
      timeoutMs: number;
      signal: AbortSignal;
      /** What is read of each stream; longer output is cut and says so. */
      maxBytesPerStream: number;
      /** Folder of the workspace; its top when not said. */
      cwd?: string;
    },
  ): Promise<ShellResult>;
};

export type ShellResult = {
  /** -1 when the time was up; 128 + n when signal n ended the command. */
  exitCode: number;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** The command wrote more than 50 MB to a stream and was stopped for that. */
  stoppedForOutput?: boolean;
};
