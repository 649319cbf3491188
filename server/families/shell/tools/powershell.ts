import { z } from "zod";
import { shell } from "@/server/capabilities/call-capabilities";
import { systemProgram } from "@/server/capabilities/sandbox/bubblewrap";
import type { OutputState } from "@/server/capabilities/shell/output-watch";
import { executes, lists } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { codeCommand } from "../code-command";
import { commandTimeoutMs, maxTimeoutSeconds, secondsWithin } from "../command-time";
import { outputProgress } from "../output-progress";
import { presentResult } from "../present-result";
import { loadSession, shellSession } from "../shell-session";

const maxBytesPerStream = 8_000_000;

/** Unavailable where pwsh is not installed; the sandbox shows installed programs only. */
export const powershell = defineTool({
  name: "powershell",
  title: "Run PowerShell",
  description:
    "Runs PowerShell code with pwsh in the workspace folder, without input and without network, and answers its exit code, stdout and stderr. After timeoutSeconds (60, at most 300) it is stopped.",
  family: "shell",
  tier: "extension",
  effect: "destroy",
  needs: [shell, shellSession],
  names: {
    aliases: ["pwsh"],
    parameterAliases: { cmd: "command", timeout: "timeoutSeconds", timeout_seconds: "timeoutSeconds", workdir: "cwd" },
  },
  primaryArgument: "command",
  approval: {
    dangerous: true,
    effects: ({ cwd }) => [executes("/command", cwd ?? "."), ...(cwd === undefined ? [] : [lists("/cwd", cwd)])],
    completeArguments: async (args, { conversationId, folder }) => {
      const current = args.cwd ?? (await loadSession(conversationId, folder)).folder;
      return current === "." ? args : { ...args, cwd: current };
    },
  },
  timeoutMs: commandTimeoutMs,
  disclosure: {
    availability: async () => (systemProgram("pwsh") ? null : "PowerShell is not installed: this machine has no pwsh."),
  },
  input: z.object({
    command: z.string().min(1).max(100_000).describe("PowerShell code"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(60)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe("Default 60, at most 300"),
    cwd: z.string().min(1).optional().describe("Folder to start in, relative to the workspace; default: where the last command ended"),
  }),
  async execute({ command, timeoutSeconds, cwd }, { shell, shell_session, signal, timeoutMs, progress }) {
    const seconds = secondsWithin(timeoutMs, timeoutSeconds);
    const { environment } = await shell_session.load();
    const onOutput = (state: OutputState) => progress(outputProgress(state));
    const options = { timeoutMs: seconds * 1_000, signal, maxBytesPerStream, environment, onOutput, ...(cwd ? { cwd } : {}) };
    return presentResult(await shell.run(codeCommand("powershell", command, "project"), options), { seconds });
  },
});
