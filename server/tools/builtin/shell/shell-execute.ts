import { z } from "zod";
import { killGraceMs } from "@/server/capabilities/running-commands";
import { defineTool } from "../../define-tool";

const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 300;
const maxBytesPerStream = 10_000;
/** What the tool needs after the command's own time is up, to end it and to hand over what it printed. */
const spareMs = killGraceMs + 3_000;

export const shellExecute = defineTool({
  name: "shell_execute",
  title: "Run a shell command",
  description:
    "Runs a command with /bin/sh in the workspace folder, without input, and answers exitCode, stdout and stderr (10,000 bytes each). After timeoutSeconds (60, at most 300) it is stopped: exitCode -1, timedOut true. Processes left in the background are stopped too.",
  family: "shell",
  tier: "core",
  effect: "destroy",
  needs: ["shell"],
  aliases: ["ShellExecuteTool", "execute_shell_command", "bash", "terminal", "shell", "run_command", "run_shell_command"],
  parameterAliases: {
    cmd: "command",
    script: "command",
    timeout: "timeoutSeconds",
    timeout_seconds: "timeoutSeconds",
    workdir: "cwd",
    working_dir: "cwd",
    working_directory: "cwd",
  },
  backgroundable: true,
  primaryArgument: "command",
  dangerous: true,
  // The command's own limit lies inside of this one: what it had printed by then is still answered.
  timeoutMs: maxTimeoutSeconds * 1_000 + spareMs,
  input: z.object({
    command: z.string().min(1).describe("What /bin/sh -c runs"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(defaultTimeoutSeconds)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe("Default 60, at most 300"),
    cwd: z.string().min(1).optional().describe("Folder to start in, relative to the workspace"),
  }),
  async execute({ command, timeoutSeconds, cwd }, { shell, signal, timeoutMs }) {
    // An admin may have given the tool less time than the model asks for.
    const roomMs = Math.max(timeoutMs - spareMs, timeoutMs / 2);
    const { exitCode, stdout, stderr, timedOut, stoppedForOutput } = await shell.run(command, {
      timeoutMs: Math.min(timeoutSeconds * 1_000, roomMs),
      signal,
      maxBytesPerStream,
      ...(cwd ? { cwd } : {}),
    });
    return {
      exitCode,
      stdout,
      stderr,
      timedOut,
      ...(timedOut
        ? { message: "The command took too long and was stopped. Raise timeoutSeconds (at most 300), or do less at once." }
        : {}),
      ...(stoppedForOutput ? { message: "The command printed too much and was stopped. Send its output to a file, or print less." } : {}),
    };
  },
});
