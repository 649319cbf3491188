import { z } from "zod";
import { AllowedHost } from "@/contracts/allowed-host";
import { shell } from "@/server/capabilities/call-capabilities";
import { killGraceMs } from "@/server/capabilities/running-commands";
import type { ShellResult } from "@/server/capabilities/shell";
import { connects, lists } from "@/server/guard/effects/declare-effects";
import { defineTool, type RichResult, toolResult } from "@/server/tools/define-tool";

const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 300;
/** The most bytes kept of a stream, even in the artifact. */
const maxBytesPerStream = 8_000_000;
/** Time after the command's own limit for ending the command and collecting its output. */
const spareMs = killGraceMs + 3_000;

export const shellExecute = defineTool({
  name: "shell_execute",
  title: "Run a shell command",
  description:
    "Runs a command with bash in the workspace folder, without input, and answers its exit code, stdout and stderr; of long output the beginning and the end. After timeoutSeconds (60, at most 300) it is stopped. Processes left behind are stopped; runInBackground keeps a server up for later calls. No network unless hosts names it.",
  family: "shell",
  tier: "core",
  effect: "destroy",
  needs: [shell],
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
  // The command's own limit is shorter, so that its output until then is still returned.
  timeoutMs: maxTimeoutSeconds * 1_000 + spareMs,
  input: z.object({
    command: z.string().min(1).describe("What bash -c runs"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(defaultTimeoutSeconds)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe("Default 60, at most 300"),
    cwd: z.string().min(1).optional().describe("Folder to start in, relative to the workspace"),
    hosts: z
      .array(AllowedHost)
      .max(20)
      .optional()
      .describe("Hosts that the command needs to reach, such as registry.npmjs.org; the sandbox has no network otherwise"),
  }),
  effects: ({ cwd, hosts = [] }) => [
    ...(cwd === undefined ? [] : [lists("/cwd", cwd)]),
    ...hosts.map((host, index) => connects(`/hosts/${index}`, host)),
  ],
  async execute({ command, timeoutSeconds, cwd }, { shell, signal, timeoutMs }) {
    // An admin may have set a shorter time limit than the model requests.
    const roomMs = Math.max(timeoutMs - spareMs, timeoutMs / 2);
    const seconds = Math.min(timeoutSeconds, roomMs / 1_000);
    const result = await shell.run(command, { timeoutMs: seconds * 1_000, signal, maxBytesPerStream, ...(cwd ? { cwd } : {}) });
    return answerOf(result, seconds);
  },
});

/** Returns one line about the end of the command, then its output. */
function answerOf(result: ShellResult, seconds: number): RichResult {
  const { exitCode, stdout, stderr, timedOut } = result;
  const output = [stdout, ...(stderr === "" ? [] : [`${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}[stderr]\n`, stderr])];
  const sections = [`${endingOf(result, seconds)}\n`, ...(stdout + stderr === "" ? ["(no output)"] : output)];
  return toolResult({
    text: sections.join(""),
    sections,
    ...(exitCode === 0 ? {} : { isError: true, ...(timedOut ? { isTimedOut: true } : { isAnswer: true }) }),
  });
}

function endingOf({ exitCode, timedOut, stoppedForOutput, missedNetwork }: ShellResult, seconds: number): string {
  const ending = `exit code ${exitCode}`;
  if (timedOut) return `${ending}: stopped after ${seconds} seconds. Raise timeoutSeconds (at most 300), or do less at once.`;
  if (stoppedForOutput) return `${ending}: stopped, because it printed too much. Send its output to a file, or print less.`;
  if (missedNetwork) return `${ending}: the sandbox has no network. Name the hosts that the command needs in \`hosts\`.`;
  return ending;
}
