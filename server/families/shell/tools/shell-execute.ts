import { z } from "zod";
import { AllowedHost } from "@/contracts/guard/allowed-host";
import { shell } from "@/server/capabilities/call-capabilities";
import { connects, lists } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { commandTimeoutMs, maxTimeoutSeconds, secondsWithin } from "../command-time";
import { outputProgress } from "../output-progress";
import { folderNotes, presentResult } from "../present-result";
import { loadSession, shellSession } from "../shell-session";
import { loadShellSettings } from "../shell-settings";
import { subtaskEnvelope } from "../subtask-envelope";
import { withPrefix } from "../with-prefix";

const defaultTimeoutSeconds = 60;
/** The most bytes kept of a stream, even in the artifact. */
const maxBytesPerStream = 8_000_000;

export const shellExecute = defineTool({
  name: "shell_execute",
  title: "Run a shell command",
  description:
    "Runs a command with bash in the workspace folder, without input, and answers exit code, stdout and stderr; of long output the beginning and end. cd and exported variables hold for later calls. Stopped after timeoutSeconds (60, at most 300), with all processes left behind; the tool process keeps a server up. No network unless hosts names it.",
  family: "shell",
  tier: "core",
  effect: "destroy",
  needs: [shell, shellSession],
  names: {
    aliases: ["ShellExecuteTool", "execute_shell_command", "bash", "terminal", "shell", "run_command", "run_shell_command"],
    parameterAliases: {
      cmd: "command",
      script: "command",
      run_in_subtask: "runInSubtask",
      timeout: "timeoutSeconds",
      timeout_seconds: "timeoutSeconds",
      workdir: "cwd",
      working_dir: "cwd",
      working_directory: "cwd",
    },
  },
  running: { backgroundable: true },
  primaryArgument: "command",
  approval: {
    everydayAction: "command",
    dangerous: true,
    effects: ({ cwd, hosts = [] }) => [
      ...(cwd === undefined ? [] : [lists("/cwd", cwd)]),
      ...hosts.map((host, index) => connects(`/hosts/${index}`, host)),
    ],
    completeArguments: async ({ command, cwd, ...input }, { workspaceId, conversationId, folder }) => {
      const { commandPrefix } = await loadShellSettings(workspaceId);
      const current = cwd ?? (await loadSession(conversationId, folder)).folder;
      return { command: withPrefix(command, commandPrefix), ...input, ...(cwd === undefined && current === "." ? {} : { cwd: current }) };
    },
  },
  // The command's own limit is shorter, so that its output until then is still returned.
  timeoutMs: commandTimeoutMs,
  input: z.object({
    command: z.string().min(1).describe("What bash -c runs"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(defaultTimeoutSeconds)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe("Default 60, at most 300"),
    cwd: z.string().min(1).optional().describe("Folder to start in, relative to the workspace; default: where the last command ended"),
    pty: z.boolean().optional().describe("Give the command a terminal, for programs that refuse to work without one"),
    runInSubtask: z.boolean().optional().describe("Also answer structured content: the envelope of a subtask"),
    hosts: z
      .array(AllowedHost)
      .max(20)
      .optional()
      .describe("Hosts that the command needs to reach, such as registry.npmjs.org; the sandbox has no network otherwise"),
  }),
  async execute(
    { command, timeoutSeconds, cwd, pty = false, runInSubtask = false },
    { shell, shell_session, signal, timeoutMs, progress },
  ) {
    const seconds = secondsWithin(timeoutMs, timeoutSeconds);
    const { environment, lostFolder, folder: before } = await shell_session.load();
    const result = await shell.run(command, {
      timeoutMs: seconds * 1_000,
      signal,
      maxBytesPerStream,
      environment,
      reportsSession: true,
      onOutput: (state) => progress(outputProgress(state)),
      ...(cwd ? { cwd } : {}),
      ...(pty ? { pty } : {}),
    });
    const { folder, notes } = result.session ? await shell_session.save(result.session) : { folder: cwd ?? ".", notes: [] };
    const recovered = lostFolder !== null && cwd === undefined ? [`${lostFolder} is gone, so this command ran in the top folder.`] : [];
    const hints = folderNotes(result, cwd ?? before, folder);
    const shown = presentResult(result, { seconds, folder, notes: [...recovered, ...notes, ...hints], pty });
    return runInSubtask ? { ...shown, structuredContent: subtaskEnvelope(result, shown.text) } : shown;
  },
});
