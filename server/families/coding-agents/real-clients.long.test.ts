import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { and, desc, eq } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { approvals, codingSessions, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireApproval } from "@/server/approvals/expire-approvals";
import { db } from "@/server/platform/database";
import { codingHttp } from "@/server/testing/coding-http";
import { useCodingStage } from "@/server/testing/coding-stage";
import { type ModelServerRequest, startModelServer } from "@/server/testing/model-protocol-server";
import { approverActor } from "@/server/testing/stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";
import { connectFiles } from "./connect/connect-script";

/** The versions that were tried; the real programs, from npm. Cursor's is not there. */
const packages = [
  "@anthropic-ai/claude-code@2.1.332",
  "@openai/codex@0.171.0",
  "@google/gemini-cli@0.61.0",
  "@github/copilot@1.0.102",
  "opencode-ai@1.18.33",
];
const cliFolder = process.env.HANDRAIL_CODING_CLIS ?? path.join(tmpdir(), "handrail-coding-clis");

const stage = useCodingStage();
let home = "";
let project = "";

beforeAll(() => {
  if (["claude", "codex", "gemini", "copilot", "opencode"].every((name) => existsSync(path.join(cliFolder, "node_modules/.bin", name))))
    return;
  mkdirSync(cliFolder, { recursive: true });
  writeFileSync(path.join(cliFolder, "package.json"), '{"private":true}');
  const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: cliFolder, encoding: "utf8" });
  if (status !== 0) throw new Error(`The clients could not be installed from npm: ${stderr}`);
  spawnSync(process.execPath, ["install.cjs"], { cwd: path.join(cliFolder, "node_modules/@anthropic-ai/claude-code") });
  spawnSync(process.execPath, ["postinstall.mjs"], { cwd: path.join(cliFolder, "node_modules/opencode-ai") });
}, 300_000);

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "handrail-home-"));
  project = path.join(home, "shop");
  mkdirSync(project);
  spawnSync("git", ["init", "-q"], { cwd: project });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

type Client = {
  shell: string;
  run: (origin: string) => { args: string[]; env?: Record<string, string> };
  prepare?: (origin: string) => void;
  bin: string;
};

const put = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  writeFileSync(path.join(home, file), text);
};

const clients: Record<"claude-code" | "codex" | "gemini" | "copilot" | "opencode", Client> = {
  "claude-code": {
    bin: "claude",
    shell: "Bash",
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
    bin: "codex",
    shell: "exec_command",
    prepare: (origin) =>
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
    bin: "gemini",
    shell: "run_shell_command",
    prepare: () => put(".gemini/settings.json", JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } })),
    run: (origin) => ({
      args: ["-p", "Do it", "--approval-mode", "yolo", "-m", "test-model"],
      env: { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: "dummy", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    }),
  },
  copilot: {
    bin: "copilot",
    shell: "bash",
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
    bin: "opencode",
    shell: "bash",
    prepare: (origin) =>
      put(
        ".config/opencode/opencode.json",
        JSON.stringify({
          model: "x/test-model",
          small_model: "x/test-model",
          autoupdate: false,
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
};

const argumentsOf = (client: keyof typeof clients, command: string) =>
  client === "codex" ? { cmd: command } : client === "claude-code" ? { command } : { command, description: "Do it" };

/** Returns whether a request of the client's model holds the result of its call. */
const hasResult = ({ body }: ModelServerRequest) =>
  /"tool_result"|"function_call_output"|"functionResponse"|"role":"tool"/.test(JSON.stringify(body));
const hasTools = ({ body }: ModelServerRequest) => Array.isArray(body.tools) && body.tools.length > 0;

/** Runs a client whose model makes one call, with Handrail's hooks in its settings. */
async function play(client: keyof typeof clients, command: string, place: { origin: string; key: string }, timeout = 3600) {
  const { bin, shell, run, prepare } = clients[client];
  const model = await startModelServer((request) =>
    hasTools(request) && !hasResult(request)
      ? { toolCalls: [{ id: "call_1", name: shell, arguments: JSON.stringify(argumentsOf(client, command)) }] }
      : { text: ["Done."] },
  );
  prepare?.(model.origin);
  const folder = path.join(home, ".config/handrail");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(connectFiles)) writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, "hook.json"), JSON.stringify({ url: place.origin, key: place.key }));
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: home, TERM: "dumb", NODE_ENV: "production" as const };
  expect(spawnSync(process.execPath, [path.join(folder, "connect.cjs"), client], { env, encoding: "utf8" }).stderr).toBe("");
  for (const file of [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".copilot/hooks/handrail.json"]) {
    const written = path.join(home, file);
    if (existsSync(written)) writeFileSync(written, readFileSync(written, "utf8").replaceAll("--timeout 3600", `--timeout ${timeout}`));
  }
  const plugin = path.join(home, ".config/opencode/plugins/handrail.js");
  if (existsSync(plugin)) writeFileSync(plugin, readFileSync(plugin, "utf8").replace("kind],", `kind, "--timeout", "${timeout}"],`));
  const { args, env: more } = run(model.origin);
  const child = spawn(path.join(cliFolder, "node_modules/.bin", bin), args, {
    cwd: project,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += piece));
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(said)));
  const told = () => JSON.stringify(model.requests.filter(hasResult).at(-1)?.body ?? null);
  return { child, ended, told };
}

const witness = () => existsSync(path.join(project, "witness"));

const newest = () =>
  vi.waitFor(
    async () => {
      const isOpen = and(eq(approvals.workspaceId, stage.built.workspace.id), eq(approvals.status, "pending"));
      const [approval] = await db().select().from(approvals).where(isOpen).orderBy(desc(approvals.id)).limit(1);
      if (!approval) throw new Error("nobody is asked yet");
      return approval.id;
    },
    { timeout: 170_000, interval: 200 },
  );

const minutes = 400_000;
/** Asks a person, because it names a file outside of the project; it leaves a witness when it runs. */
const asks = "touch witness && cat /etc/passwd > /dev/null";

describe.each(Object.keys(clients) as (keyof typeof clients)[])("%s", (client) => {
  test("an allowed call runs, and its result is recorded", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, "touch witness", place);
    const said = await ended;
    expect(witness(), said).toBe(true);
    const [call] = await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id));
    expect(call).toMatchObject({ status: "succeeded", name: "shell_execute" });
    const [session] = await db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id));
    expect(session).toMatchObject({ client, folder: project, bypassed: 0 });
  });

  test("what the hard floor denies does not run, and the model reads why", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, "touch witness && rm -rf /", await codingHttp(stage));
    const said = await ended;
    expect(witness(), said).toBe(false);
    expect(told()).toContain("never run, approved or not");
  });

  test("a call waits for a person, runs with the person's arguments, and the model is told", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage));
    await decideWithEdits(approverActor(stage), await newest(), {
      decision: "approve",
      comment: "",
      arguments: { command: "touch witness edited" },
    });
    const said = await ended;
    expect(witness(), said).toBe(true);
    expect(existsSync(path.join(project, "edited"))).toBe(true);
    expect(told()).toContain("changed the arguments of this call");
  });

  test("a rejected call does not run, and the model reads the person's words", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage));
    await decideApproval(approverActor(stage), await newest(), { decision: "reject", comment: "Not on a Friday." });
    const said = await ended;
    expect(witness(), said).toBe(false);
    expect(told()).toContain("Not on a Friday.");
  });

  test("without Handrail nothing runs", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    await place.stop();
    const { ended } = await play(client, "touch witness", place);
    const said = await ended;
    expect(witness(), said).toBe(false);
  });

  test("a call that nobody decides is denied before the client gives up", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage), 120);
    const card = await newest();
    await db()
      .update(approvals)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(approvals.id, card));
    await expireApproval(card);
    const said = await ended;
    expect(witness(), said).toBe(false);
    expect(told()).toMatch(/nobody|No one|in time|expired/i);
  });

  test("Handrail restarts while a person decides: one card, and one run", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, "echo x >> witness && cat /etc/passwd > /dev/null", place);
    const card = await newest();
    await place.stop();
    const again = await codingHttp(stage, place.port);
    expect(again.port).toBe(place.port);
    await decideApproval(approverActor(stage), card, { decision: "approve", comment: "" });
    const said = await ended;
    expect(existsSync(path.join(project, "witness")), said).toBe(true);
    expect(readFileSync(path.join(project, "witness"), "utf8")).toBe("x\n");
    expect(await db().$count(approvals, eq(approvals.workspaceId, stage.built.workspace.id))).toBe(1);
  });

  test("Handrail is killed while the call waits, and stays away: nothing runs", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, asks, place, 75);
    await newest();
    await place.stop();
    const said = await ended;
    expect(witness(), said).toBe(false);
  });

  test("a secret in the result does not reach the model", { timeout: minutes }, async () => {
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { ended, told } = await play(client, `printf 'token %s%s' ghp_ ${secret.slice(4)}`, await codingHttp(stage));
    const said = await ended;
    expect(told(), said).toContain("token");
    expect(told()).not.toContain(`token ${secret}`);
  });
});
