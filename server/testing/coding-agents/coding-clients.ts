import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { and, desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { approvals } from "@/db/schema";
import { connectFiles } from "@/server/families/coding-agents/connect/connect-script";
import { db } from "@/server/platform/database/database";
import { type ModelServerRequest, type ScriptedAnswer, startModelServer } from "../models/model-protocol-server";
import type { codingHttp } from "./coding-http";
import { useCodingStage } from "./coding-stage";
import { type CodingClientPackage, installCodingClient, programOf } from "./install-coding-client";

const run = promisify(execFile);

/** How the home of a client is written: a file below it, and its text. */
type Put = (file: string, text: string) => void;

type Client = {
  package: CodingClientPackage;
  /** Name of its tool for commands. */
  shell: string;
  argumentsOf: (command: string) => JsonObject;
  run: (origin: string) => { args: string[]; env?: Record<string, string> };
  prepare?: (origin: string, put: Put) => void;
};

const described = (command: string) => ({ command, description: "Do it" });

/** Each client as it runs without a person at its keyboard. */
export const codingClients = {
  "claude-code": {
    package: { name: "@anthropic-ai/claude-code", version: "2.1.332", bin: "claude", finish: "install.cjs" },
    shell: "Bash",
    argumentsOf: (command) => ({ command }),
    run: (origin) => ({
      args: ["-p", "Do it", "--model", "test-model"],
      env: {
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_API_KEY: "dummy",
        DISABLE_AUTOUPDATER: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    }),
  },
  codex: {
    package: { name: "@openai/codex", version: "0.171.0", bin: "codex" },
    shell: "exec_command",
    argumentsOf: (cmd) => ({ cmd }),
    prepare: (origin, put) =>
      put(
        ".codex/config.toml",
        `model = "test-model"\nmodel_provider = "x"\n[model_providers.x]\nname = "x"\nbase_url = "${origin}/v1"\nwire_api = "responses"\nenv_key = "DUMMY_KEY"\n`,
      ),
    run: () => ({
      args: ["exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", "Do it"],
      env: { DUMMY_KEY: "x" },
    }),
  },
  gemini: {
    package: { name: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
    shell: "run_shell_command",
    argumentsOf: described,
    prepare: (_, put) => put(".gemini/settings.json", JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } })),
    run: (origin) => ({
      args: ["-p", "Do it", "--approval-mode", "yolo", "-m", "test-model"],
      env: { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: "dummy", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    }),
  },
  copilot: {
    package: { name: "@github/copilot", version: "1.0.102", bin: "copilot" },
    shell: "bash",
    argumentsOf: described,
    run: (origin) => ({
      args: ["-p", "Do it", "--allow-all-tools", "--model", "test-model"],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_PROVIDER_BASE_URL: `${origin}/v1`,
        COPILOT_PROVIDER_API_KEY: "dummy",
        COPILOT_MODEL: "test-model",
      },
    }),
  },
  opencode: {
    package: { name: "opencode-ai", version: "1.18.33", bin: "opencode", finish: "postinstall.mjs" },
    shell: "bash",
    argumentsOf: described,
    prepare: (origin, put) =>
      put(
        ".config/opencode/opencode.json",
        JSON.stringify({
          model: "x/test-model",
          small_model: "x/test-model",
          autoupdate: false,
          // Without a keyboard its own question is a no.
          permission: { bash: "allow", edit: "allow", external_directory: "allow" },
          provider: {
            x: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: `${origin}/v1`, apiKey: "dummy" },
              models: { "test-model": { tool_call: true } },
            },
          },
        }),
      ),
    run: () => ({ args: ["run", "Do it"], env: { OPENCODE_DISABLE_MODELS_FETCH: "1" } }),
  },
} satisfies Record<string, Client>;

export type CodingClientName = keyof typeof codingClients;

/** Returns whether a request of the client's model holds the result of its call. */
export const hasResult = ({ body }: Pick<ModelServerRequest, "body">) =>
  /"tool_result"|"function_call_output"|"custom_tool_call_output"|"functionResponse"|"role":"tool"/.test(JSON.stringify(body));
const hasTools = ({ body }: ModelServerRequest) => Array.isArray(body.tools) && body.tools.length > 0;

type Place = Pick<Awaited<ReturnType<typeof codingHttp>>, "origin" | "key">;
type Settings = { timeout?: number; mode?: "headless" | "defer"; more?: readonly string[] };

/** One run of a client. */
export type Played = {
  /** Sends a signal to the client and its launchers, as a terminal does. */
  signal: (name: NodeJS.Signals) => void;
  /** All that it printed, when it has ended. */
  ended: Promise<string>;
  /** The last request to the model that holds a result, as JSON. */
  told: () => string;
};

/** The real coding agents, each in a home and a project of its own, with Handrail's hooks in their settings. */
export function useCodingClients() {
  const stage = useCodingStage();
  const missing = new Map<CodingClientName, string>();
  const running: ChildProcess[] = [];
  let home = "";
  const projectOf = () => path.join(home, "shop");
  const put: Put = (file, text) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  };

  beforeAll(async () => {
    for (const name of Object.keys(codingClients) as CodingClientName[]) {
      const problem = await installCodingClient(codingClients[name].package);
      if (problem !== null) missing.set(name, problem);
    }
  }, 300_000);
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), "handrail-home-"));
    mkdirSync(projectOf());
    spawnSync("git", ["init", "-q"], { cwd: projectOf() });
  });
  afterEach(() => {
    // A client of a failed test would wait for its hook for an hour.
    for (const { pid } of running.splice(0)) process.kill(-Number(pid), "SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  /** Writes the hooks as the connect script does, with another time and mode where the test wants them. */
  async function connect(
    client: CodingClientName,
    { origin, key }: Place,
    { timeout = 3600, mode = "headless" }: Settings,
    env: NodeJS.ProcessEnv,
  ) {
    const folder = path.join(home, ".config/handrail");
    for (const [name, text] of Object.entries(connectFiles)) put(`.config/handrail/${name}`, text);
    put(".config/handrail/hook.json", JSON.stringify({ url: origin, key }));
    // The server of this process answers the program meanwhile.
    const { stderr } = await run(process.execPath, [path.join(folder, "connect.cjs"), client, "--mode", mode], { env });
    expect(stderr).toBe("");
    const change = (file: string, from: string, to: string) => {
      const written = path.join(home, file);
      if (existsSync(written)) writeFileSync(written, readFileSync(written, "utf8").replaceAll(from, to));
    };
    for (const file of [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".copilot/hooks/handrail.json"]) {
      change(file, "--timeout 3600", `--timeout ${timeout}`);
    }
    change(".config/opencode/plugins/handrail.js", "kind],", `kind, "--timeout", "${timeout}"],`);
  }

  /** Runs a client whose model answers as scripted. */
  async function playScript(
    client: CodingClientName,
    script: (request: ModelServerRequest) => ScriptedAnswer,
    place: Place,
    settings: Settings = {},
  ): Promise<Played> {
    const problem = missing.get(client);
    if (problem !== undefined) throw new Error(problem);
    const { run: runOf, prepare }: Client = codingClients[client];
    const model = await startModelServer((request) => (hasTools(request) ? script(request) : { text: ["Done."] }));
    prepare?.(model.origin, put);
    const env = {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      HOME: home,
      TERM: "dumb",
      NODE_ENV: "production" as const,
    };
    await connect(client, place, settings, env);
    const { args, env: more } = runOf(model.origin);
    const child = spawn(programOf(codingClients[client].package), [...args, ...(settings.more ?? [])], {
      cwd: projectOf(),
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, as a terminal makes one.
      detached: true,
    });
    running.push(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
    const ended = new Promise<string>((resolve) =>
      child.on("close", () => {
        running.splice(running.indexOf(child), 1);
        resolve(said);
      }),
    );
    const told = () => JSON.stringify(model.requests.filter(hasResult).at(-1)?.body ?? null);
    return { ended, told, signal: (name) => process.kill(-Number(child.pid), name) };
  }

  /** The calls of commands as the client's model makes them, in one answer. */
  const commandsOf = (client: CodingClientName, commands: readonly string[]): ScriptedAnswer => ({
    toolCalls: commands.map((command, index) => {
      const { shell, argumentsOf }: Client = codingClients[client];
      return { id: `call_${index + 1}`, name: shell, arguments: JSON.stringify(argumentsOf(command)) };
    }),
  });

  return {
    stage,
    put,
    home: () => home,
    project: projectOf,
    inProject: (file: string) => path.join(projectOf(), file),
    commandsOf,
    playScript,
    /** Runs a client whose model makes one call of a command. */
    play: (client: CodingClientName, command: string, place: Place, timeout = 3600) =>
      playScript(client, (request) => (hasResult(request) ? { text: ["Done."] } : commandsOf(client, [command])), place, { timeout }),
    hasWitness: () => existsSync(path.join(projectOf(), "witness")),
    /** The newest card that waits for a person; waits for it, because some clients take minutes to start. */
    newest: () =>
      vi.waitFor(
        async () => {
          const isOpen = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
          const [approval] = await db().select().from(approvals).where(isOpen).orderBy(desc(approvals.id)).limit(1);
          if (!approval) throw new Error("nobody is asked yet");
          return approval.id;
        },
        { timeout: 170_000, interval: 200 },
      ),
  };
}
