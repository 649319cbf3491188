/** Runs commands in the workspace folder. */
export type ShellCapability = {
  run(
    command: string,
    options: { timeoutMs: number; signal: AbortSignal; maxBytesPerStream: number; cwd?: string },
  ): Promise<{ exitCode: number; stdout: string; stderr: string; timedOut: boolean }>;
};
