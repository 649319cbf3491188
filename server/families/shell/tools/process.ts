import { z } from "zod";
import { AllowedHost } from "@/contracts/guard/allowed-host";
import { shell } from "@/server/capabilities/call-capabilities";
import { connects, lists } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { findProcessPlace, maxRunning, processes } from "../processes/processes";
import { loadSession, shellSession } from "../shell-session";
import { loadShellSettings } from "../shell-settings";
import { withPrefix } from "../with-prefix";
import { processDocumentation } from "./process.documentation";

const maxWaitSeconds = 300;
const actions = ["start", "poll", "write", "log", "kill", "list"] as const;
/** The arguments that an action takes beside its own name. */
const argumentsOf: Record<(typeof actions)[number], { needed: readonly string[]; also: readonly string[] }> = {
  start: { needed: ["command"], also: ["cwd", "hosts", "pty"] },
  poll: { needed: ["id"], also: ["waitSeconds"] },
  write: { needed: ["id", "command"], also: ["enter", "closeInput"] },
  log: { needed: ["id"], also: [] },
  kill: { needed: ["id"], also: [] },
  list: { needed: [], also: [] },
};

const input = z
  .object({
    action: z
      .enum(actions, {
        error: ({ input }) => (input === undefined ? "received undefined" : `must be one of ${actions.join(", ")}`),
      })
      .describe("What to do"),
    id: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^proc_[0-9a-f]{8}$/, "is no id of a process, such as proc_1a2b3c4d")
      .optional()
      .describe("From start; for poll, write, log and kill"),
    // One name for both texts, because the guard reads a shell tool's primary argument as a command.
    command: z.string().max(120_000).optional().describe("start: what bash -c runs; write: the text to type"),
    enter: z.boolean().optional().describe("write: press Enter after the text; default true"),
    closeInput: z.boolean().optional().describe("write: end the input afterwards"),
    waitSeconds: z
      .number()
      .min(0)
      .transform((seconds) => Math.min(seconds, maxWaitSeconds))
      .optional()
      .describe(`poll: wait for output or the end; default 0, at most ${maxWaitSeconds}`),
    cwd: z.string().min(1).optional().describe("start: folder, relative to the workspace; default: where the last command ended"),
    pty: z.boolean().optional().describe("start: give it a terminal"),
    hosts: z.array(AllowedHost).max(20).optional().describe("start: hosts that it needs to reach; no network otherwise"),
  })
  .superRefine((given, context) => {
    const { needed, also } = argumentsOf[given.action];
    for (const name of needed) {
      if (given[name as keyof typeof given] === undefined) {
        context.addIssue({ code: "custom", path: [name], message: `is missing: ${given.action} needs it` });
      }
    }
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined || name === "action" || needed.includes(name) || also.includes(name)) continue;
      context.addIssue({ code: "custom", path: [name], message: `does not belong to ${given.action}` });
    }
  });

export const processTool = defineTool({
  name: "process",
  title: "Run long processes",
  description: `Runs processes that outlive the call, such as a development server: start answers an id, poll the output since the last poll, write types into it, log the whole output (of a long one beginning and end), kill ends it, list shows all. At most ${maxRunning} run at a time. Other commands reach its ports on 127.0.0.1.`,
  disclosure: { documentation: processDocumentation },
  family: "shell",
  tier: "extension",
  effect: "destroy",
  needs: [shell, shellSession, processes],
  names: {
    aliases: ["process_manager", "background_process"],
    parameterAliases: {
      cmd: "command",
      input: "command",
      data: "command",
      text: "command",
      processId: "id",
      process_id: "id",
      workdir: "cwd",
      timeout: "waitSeconds",
      wait_seconds: "waitSeconds",
    },
  },
  primaryArgument: "command",
  approval: {
    dangerous: true,
    effects: ({ cwd, hosts = [] }) => [
      ...(cwd === undefined ? [] : [lists("/cwd", cwd)]),
      ...hosts.map((host, index) => connects(`/hosts/${index}`, host)),
    ],
    // Input goes to a process that runs already: nothing more can be opened for it, and nothing confines one outside.
    programPlace: async ({ action, id = "" }, conversationId) => (action === "write" ? findProcessPlace(conversationId, id) : null),
    completeArguments: async (args, { workspaceId, conversationId, folder }) => {
      if (args.action !== "start" || args.command === undefined) return args;
      const { commandPrefix } = await loadShellSettings(workspaceId);
      const current = args.cwd ?? (await loadSession(conversationId, folder)).folder;
      const cwd = args.cwd === undefined && current === "." ? {} : { cwd: current };
      return { ...args, command: withPrefix(args.command, commandPrefix), ...cwd };
    },
  },
  timeoutMs: (maxWaitSeconds + 10) * 1_000,
  input,
  async execute({ action, id = "", command = "", enter = true, closeInput = false, waitSeconds = 0, cwd, pty = false }, given) {
    const { processes, shell_session, signal, timeoutMs, progress } = given;
    switch (action) {
      case "start": {
        const { environment } = await shell_session.load();
        return processes.start({ command, environment, pty, ...(cwd ? { cwd } : {}) });
      }
      case "poll":
        if (waitSeconds > 0) progress(`Waiting up to ${waitSeconds} s for output of ${id}`);
        return processes.poll(id, { seconds: Math.min(waitSeconds, Math.max(0, timeoutMs / 1_000 - 5)), signal });
      case "write": {
        if (command === "" && !enter && !closeInput)
          throw new AppError("invalid", "There is nothing to write. Send a text, or leave enter out.");
        return processes.write(id, `${command}${enter && !closeInput ? "\n" : ""}`, { isClosed: closeInput });
      }
      case "log":
        return processes.log(id);
      case "kill":
        return processes.kill(id);
      case "list":
        return processes.list();
    }
  },
});
