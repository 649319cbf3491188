import { z } from "zod";
import type { Effect } from "@/contracts/decisions/effects";
import { AllowedHost } from "@/contracts/guard/allowed-host";
import { codeLanguages } from "@/contracts/tools/shell";
import { shell } from "@/server/capabilities/call-capabilities";
import type { OutputState } from "@/server/capabilities/shell/output-watch";
import type { ScriptEffect } from "@/server/guard/effects/collector";
import { connects, executes, lists } from "@/server/guard/effects/declare-effects";
import { readCode } from "@/server/guard/effects/effects-of-code";
import { effectsOfScript } from "@/server/guard/effects/effects-of-script";
import { wantedOpenings } from "@/server/guard/effects/openings";
import { closedSandbox } from "@/server/guard/effects/program-place";
import { noSensitivePaths } from "@/server/guard/paths/sensitive-globs";
import { ReadingBudget } from "@/server/guard/script/reading-budget";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { codeCommand } from "../code-command";
import { commandTimeoutMs, maxTimeoutSeconds, secondsWithin } from "../command-time";
import { outputProgress } from "../output-progress";
import { presentResult } from "../present-result";
import { loadSession, shellSession } from "../shell-session";
import { loadShellSettings } from "../shell-settings";
import { strictShell } from "../strict-shell";

const defaultTimeoutSeconds = 30;
const maxBytesPerStream = 1_000_000;
const strictHasNoNetwork = "strict mode has no network. Use the mode project, and name the hosts that the code needs in `hosts`.";

/** Names that models use for our languages. A shell script runs in bash. */
const languageNames: Readonly<Record<string, (typeof codeLanguages)[number]>> = {
  bash: "shell",
  sh: "shell",
  python3: "python",
  py: "python",
  javascript: "node",
  js: "node",
  nodejs: "node",
};

const ownLanguage = (given: unknown): unknown => {
  const name = typeof given === "string" ? given.trim().toLowerCase() : "";
  return Object.hasOwn(languageNames, name) ? languageNames[name] : given;
};

const input = z
  .object({
    language: z
      .preprocess(
        ownLanguage,
        z.enum(codeLanguages, {
          error: ({ input }) =>
            input === undefined
              ? "received undefined"
              : `unsupported language "${String(input).slice(0, 40)}": one of ${codeLanguages.join(", ")}`,
        }),
      )
      .describe("The language of the code"),
    code: z.string().min(1).max(100_000).describe("The whole program"),
    mode: z.enum(["strict", "project"]).default("strict").describe("strict: an empty folder, no network; project: the workspace"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(defaultTimeoutSeconds)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe(`Default ${defaultTimeoutSeconds}, at most ${maxTimeoutSeconds}`),
    cwd: z.string().min(1).optional().describe("project: folder; default: where the last command ended"),
    hosts: z.array(AllowedHost).max(20).optional().describe("project: hosts that the code needs to reach"),
  })
  .superRefine(({ mode, cwd, hosts }, context) => {
    if (mode === "project") return;
    if (cwd !== undefined)
      context.addIssue({ code: "custom", path: ["cwd"], message: "belongs to the mode project; strict has an empty folder" });
    if (hosts !== undefined)
      context.addIssue({ code: "custom", path: ["hosts"], message: "belongs to the mode project; strict has no network" });
  });

/** Refuses code that strict mode cannot run, before a person is asked. @throws AppError `invalid` */
function refuseOpenings({ language, code }: z.output<typeof input>): void {
  const { hosts, readable, writable, host } = wantedOpenings(effectsOfCall(language, code));
  if (host) throw new AppError("invalid", "strict mode has no rights of the machine. Use shell_execute, which asks a person for them.");
  if (hosts.length > 0)
    throw new AppError("invalid", `The code connects to ${hosts[0] === "*" ? "a host" : hosts[0]}, but ${strictHasNoNetwork}`);
  const [file] = [...readable, ...writable];
  if (file !== undefined)
    throw new AppError(
      "invalid",
      `The code uses ${file}, but strict mode has an empty folder only. Use the mode project, which asks a person for it.`,
    );
}

function effectsOfCall(language: string, code: string) {
  const surroundings = { root: undefined, sandboxed: true, sensitivePaths: noSensitivePaths };
  try {
    if (language === "shell") return effectsOfScript(code, surroundings, new ReadingBudget()).effects.map(withEvidence);
    const evidence = { argument: "/code", start: 0, end: code.length };
    return readCode(language === "python" ? "python" : "javascript", code, { surroundings, folder: ".", evidence }).effects;
  } catch {
    // The guard decides about code that is too much to read.
    return [];
  }
}

const withEvidence = ({ start, end, followsLinks: _followsLinks, ...effect }: ScriptEffect): Effect => ({
  ...effect,
  evidence: { argument: "/code", start, end },
});

export const executeCode = defineTool({
  name: "execute_code",
  title: "Run code",
  description:
    "Runs a shell script, or Python or Node code where an admin turned them on, and answers exit code, stdout and stderr. Mode strict (default): an empty folder that is removed afterwards, no network. Mode project: the workspace. The code gets no input; stopped after timeoutSeconds (30, at most 300).",
  family: "shell",
  tier: "extension",
  effect: "destroy",
  needs: [shell, shellSession, strictShell],
  names: {
    aliases: ["run_code", "code_execution", "code_interpreter"],
    parameterAliases: {
      lang: "language",
      source: "code",
      script: "code",
      timeout: "timeoutSeconds",
      timeout_seconds: "timeoutSeconds",
      workdir: "cwd",
    },
  },
  primaryArgument: "code",
  approval: {
    dangerous: true,
    effects: ({ language, cwd, hosts = [] }) => [
      // The guard reads shell code as a command. Of other code it knows only that it runs in the folder.
      ...(language === "shell" ? [] : [executes("/code", cwd ?? ".")]),
      ...(cwd === undefined ? [] : [lists("/cwd", cwd)]),
      ...hosts.map((host, index) => connects(`/hosts/${index}`, host)),
    ],
    programPlace: async ({ mode }) => (mode === "strict" ? closedSandbox : null),
    completeArguments: async (args, { workspaceId, conversationId, folder }) => {
      const { codeLanguages } = await loadShellSettings(workspaceId);
      if (!codeLanguages.includes(args.language)) {
        throw new AppError(
          "forbidden",
          `execute_code does not run ${args.language} here, because no admin turned it on (codeLanguages of the shell settings). It runs ${codeLanguages.join(", ")}.`,
        );
      }
      if (args.mode === "strict") refuseOpenings(args);
      if (args.mode === "strict" || args.cwd !== undefined) return args;
      const { folder: cwd } = await loadSession(conversationId, folder);
      return cwd === "." ? args : { ...args, cwd };
    },
  },
  running: { backgroundable: true },
  timeoutMs: commandTimeoutMs,
  input,
  async execute({ language, code, mode, timeoutSeconds, cwd }, { shell, strict_shell, shell_session, signal, timeoutMs, progress }) {
    const seconds = secondsWithin(timeoutMs, timeoutSeconds);
    const command = codeCommand(language, code, mode);
    const limits = {
      timeoutMs: seconds * 1_000,
      signal,
      maxBytesPerStream,
      onOutput: (state: OutputState) => progress(outputProgress(state)),
    };
    if (mode === "strict") return presentResult(await strict_shell.run(command, limits), { seconds, noNetwork: strictHasNoNetwork });
    const { environment } = await shell_session.load();
    return presentResult(await shell.run(command, { ...limits, environment, ...(cwd ? { cwd } : {}) }), { seconds });
  },
});
