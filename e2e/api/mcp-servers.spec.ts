import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { type McpServer, mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { toolEndpoints } from "@/contracts/tools/tools";
import { turnEndpoints } from "@/contracts/turns/turns";
import { installedNode, installFilesystemServer } from "../../scripts/install-program";
import type { Caller } from "../caller";
import { expect, test } from "../fixtures";

let filesystem: string;
let folder: string;
let added: string[] = [];
test.beforeEach(async () => {
  filesystem = await installFilesystemServer();
  folder = await mkdtemp(path.join(tmpdir(), "handrail-e2e-mcp-"));
});
test.afterEach(async ({ api }) => {
  for (const id of added) await api.admin.send(mcpServerEndpoints.remove, { params: { id } });
  added = [];
  await rm(folder, { recursive: true, force: true });
});

const newAlias = () => `fs${randomUUID().slice(0, 6)}`;
const stdio = (alias: string, args: string[], rest: { env?: Record<string, string>; enabled?: boolean } = {}) => ({
  alias,
  transport: "stdio" as const,
  command: installedNode(),
  args,
  trustHints: true,
  ...rest,
});

async function add(admin: Caller, alias: string, args: string[], rest = {}): Promise<McpServer> {
  const server = await admin.call(mcpServerEndpoints.create, { body: stdio(alias, args, rest) });
  added.push(server.id);
  return server;
}

async function withStatus(reader: Caller, id: string, status: McpServer["status"]): Promise<McpServer> {
  const read = () => reader.call(mcpServerEndpoints.get, { params: { id } });
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe(status);
  return read();
}

const openConversation = async (agent: Caller) => (await agent.call(conversationEndpoints.create, { body: {} })).id;

async function callOnce(agent: Caller, conversation: string, name: string, args: Record<string, string> = {}) {
  const body = { calls: [{ id: "1", name, arguments: args }], wait: 20 };
  const turn = await agent.call(turnEndpoints.submit, { params: { id: conversation }, body });
  const [call] = turn.calls;
  if (!call) throw new Error("The turn has no call");
  return { ...call, turnId: turn.id };
}

test("a filesystem server is added, its tools appear under extension, and a call of one runs through the guard", async ({ api }) => {
  await writeFile(path.join(folder, "a.txt"), "hello from upstream");
  const alias = newAlias();
  const created = await add(api.admin, alias, [filesystem, folder]);
  expect(created.status).toBe("connecting");
  const server = await withStatus(api.viewer, created.id, "connected");
  expect(server).toMatchObject({ lastError: null, serverInfo: { name: "secure-filesystem-server" } });
  const { items } = await api.viewer.call(toolEndpoints.list, { query: { source: "mcp", family: alias } });
  expect(items).toHaveLength(server.toolCount);
  expect(items.find(({ name }) => name === `${alias}__read_text_file`)).toMatchObject({
    tier: "extension",
    tierLocked: true,
    effect: "read",
    sourceName: alias,
    availability: { status: "available" },
  });

  const conversation = await openConversation(api.agent);
  const listing = await api.agent.call(conversationEndpoints.tools, { params: { id: conversation }, query: { format: "openai" } });
  expect(listing.directory).toContain(`mcp:${alias}:`);
  expect(await callOnce(api.agent, conversation, `${alias}__read_text_file`, { path: path.join(folder, "a.txt") })).toMatchObject({
    status: "failed",
    content: expect.stringContaining("enable_tool"),
  });
  await callOnce(api.agent, conversation, "enable_tool", { toolName: `${alias}__read_text_file` });
  expect(await callOnce(api.agent, conversation, `${alias}__read_text_file`, { path: path.join(folder, "a.txt") })).toMatchObject({
    status: "succeeded",
    content: "hello from upstream",
  });
  expect(await callOnce(api.agent, conversation, `${alias}__read_text_file`)).toMatchObject({
    status: "failed",
    content: expect.stringContaining("missing required param: path"),
  });
  const outside = await callOnce(api.agent, conversation, `${alias}__read_text_file`, { path: "/etc/hostname" });
  expect(outside).toMatchObject({ status: "failed", isError: true });
});

test("an upstream tool that changes things asks a person first, and runs when they approve", async ({ api }) => {
  const alias = newAlias();
  const { id } = await add(api.admin, alias, [filesystem, folder]);
  await withStatus(api.viewer, id, "connected");
  await api.admin.call(mcpServerEndpoints.setTier, { params: { id }, body: { tier: "core" } });
  const conversation = await openConversation(api.agent);
  const asked = await callOnce(api.agent, conversation, `${alias}__write_file`, { path: path.join(folder, "b.txt"), content: "written" });
  expect(asked.status).toBe("awaiting_approval");
  const params = { id: asked.approvalId ?? "" };
  expect(await api.approver.call(approvalEndpoints.get, { params })).toMatchObject({
    tool: { name: `${alias}__write_file`, source: "mcp" },
  });
  await api.approver.call(approvalEndpoints.decide, { params, body: { decision: "approve" } });
  const done = await api.agent.call(turnEndpoints.get, { params: { id: asked.turnId }, query: { wait: 30 } });
  expect(done).toMatchObject({ status: "completed", calls: [{ status: "succeeded" }] });
  expect(await callOnce(api.agent, conversation, `${alias}__read_text_file`, { path: path.join(folder, "b.txt") })).toMatchObject({
    content: "written",
  });
});

test("a server that cannot start is a warning with its last words, and its neighbours are unaffected", async ({ api }) => {
  const well = await add(api.admin, newAlias(), [filesystem, folder]);
  const broken = await add(api.admin, newAlias(), [filesystem, path.join(folder, "no-such-folder")]);
  const missing = await add(api.admin, newAlias(), [path.join(folder, "no-such-file.mjs")]);
  expect(await withStatus(api.viewer, broken.id, "error")).toMatchObject({
    lastError: expect.stringContaining("before it was ready"),
    lastStderr: expect.stringMatching(/no-such-folder|accessible/),
  });
  expect((await withStatus(api.viewer, missing.id, "error")).lastStderr).toContain("Cannot find module");
  await withStatus(api.viewer, well.id, "connected");
  const conversation = await openConversation(api.agent);
  expect(await callOnce(api.agent, conversation, "date_time")).toMatchObject({ status: "succeeded" });
});

test("a server that is killed and cannot come back keeps its tools listed as stale, and its neighbour's calls run", async ({ api }) => {
  const script = path.join(folder, "wrapped.mjs");
  await copyFile(filesystem, script);
  const [doomed, well] = [await add(api.admin, newAlias(), [script, folder]), await add(api.admin, newAlias(), [filesystem, folder])];
  const before = await withStatus(api.viewer, doomed.id, "connected");
  await withStatus(api.viewer, well.id, "connected");
  for (const { id } of [doomed, well]) await api.admin.call(mcpServerEndpoints.setTier, { params: { id }, body: { tier: "core" } });

  await rm(script);
  const [pid] = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(script))
    .map((line) => Number.parseInt(line, 10));
  if (!pid) throw new Error("The server's process was not found");
  process.kill(pid, "SIGKILL");

  const after = await withStatus(api.viewer, doomed.id, "error");
  expect(after.toolCount).toBe(before.toolCount);
  const { items } = await api.viewer.call(toolEndpoints.list, { query: { source: "mcp", family: doomed.alias } });
  expect(new Set(items.map(({ availability }) => availability.status))).toEqual(new Set(["stale"]));
  const conversation = await openConversation(api.agent);
  const body = {
    calls: [doomed, well].map(({ alias }) => ({ id: alias, name: `${alias}__list_allowed_directories`, arguments: {} })),
    wait: 20,
  };
  const turn = await api.agent.call(turnEndpoints.submit, { params: { id: conversation }, body });
  expect(turn.calls).toMatchObject([
    { status: "failed", content: expect.stringContaining(`${doomed.alias} is not connected`) },
    { status: "succeeded", content: expect.stringContaining(folder) },
  ]);
});

test("secrets go in and never come out", async ({ api }) => {
  const secret = "correct-horse-battery-staple";
  const server = await add(api.admin, newAlias(), [filesystem, folder], { env: { TOKEN: secret, REFERENCE: "$env:MCP_REFERENCE" } });
  expect(server.env).toEqual({ TOKEN: "co***", REFERENCE: "$env:MCP_REFERENCE" });
  const body = stdio(server.alias, server.args, { env: server.env });
  const kept = await api.admin.call(mcpServerEndpoints.update, { params: { id: server.id }, body });
  expect(kept.env).toEqual(server.env);
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { query: server.alias } });
  expect(items.length).toBeGreaterThan(1);
  expect(JSON.stringify(items)).not.toContain(secret);
  expect(
    await api.admin.refusal(mcpServerEndpoints.create, { body: stdio(newAlias(), [], { env: { A: "$env:DATABASE_URL" } }) }),
  ).toMatchObject({
    status: 422,
    detail: expect.stringContaining("DATABASE_URL"),
  });
});

test("PATCH changes one setting and leaves the others, and reads no value of an argument to readers", async ({ api }) => {
  const secret = "8eCRXmzWAtnTFhYq2LsPzDk0";
  const server = await add(api.admin, newAlias(), [filesystem, folder, "-s", secret], { env: { TOKEN: secret }, enabled: false });
  const params = { id: server.id };
  const patched = await api.admin.call(mcpServerEndpoints.patch, { params, body: { callTimeoutSeconds: 7, tierPerTool: true } });
  expect(patched).toMatchObject({
    callTimeoutSeconds: 7,
    tierPerTool: true,
    env: server.env,
    args: server.args,
    version: server.version + 1,
  });
  expect(patched.args.at(-1)).toBe("8e***k0");
  for (const reader of [api.viewer, api.agent]) {
    const { args } = await reader.call(mcpServerEndpoints.get, { params });
    expect(args.slice(-2)).toEqual(["-s", "8e***"]);
    expect(args[0]).not.toContain(filesystem);
  }
  const { items } = await api.viewer.call(auditEndpoints.list, { query: { query: server.alias } });
  expect(JSON.stringify(items)).not.toContain(secret);
  expect(await api.admin.refusal(mcpServerEndpoints.patch, { params, body: { url: "not a url" } })).toMatchObject({ status: 422 });
  const stale = await api.admin.send(mcpServerEndpoints.patch, { params, body: { tier: "core" } }, { headers: { "if-match": '"1"' } });
  expect(stale.status).toBe(412);
});

test("settings can be tried before they are saved, and a saved server again", async ({ api }) => {
  const alias = newAlias();
  const tried = await api.admin.call(mcpServerEndpoints.testDraft, { body: stdio(alias, [filesystem, folder]) });
  expect(tried).toMatchObject({
    ok: true,
    error: null,
    tools: expect.arrayContaining([expect.objectContaining({ name: "read_text_file" })]),
  });
  expect((await api.viewer.call(mcpServerEndpoints.list)).items.map((server) => server.alias)).not.toContain(alias);
  const failed = await api.admin.call(mcpServerEndpoints.testDraft, { body: { ...stdio(alias, []), command: "handrail-no-such-command" } });
  expect(failed).toMatchObject({ ok: false, error: expect.stringContaining("was not found") });
  const { id } = await add(api.admin, alias, [filesystem, folder]);
  expect(await api.admin.call(mcpServerEndpoints.test, { params: { id } })).toMatchObject({ ok: true });
  expect(await api.admin.call(mcpServerEndpoints.reconnect, { params: { id } })).toMatchObject({ ok: true });
  const { items } = await api.viewer.call(mcpServerEndpoints.tools, { params: { id } });
  expect(items.find(({ rawName }) => rawName === "read_text_file")).toMatchObject({ name: `${alias}__read_text_file`, allowed: true });
});

test("only who may write MCP servers starts programs here: everybody else is refused", async ({ api }) => {
  const body = stdio(newAlias(), [filesystem, folder]);
  expect(await api.nobody.refusal(mcpServerEndpoints.create, { body })).toMatchObject({ status: 401 });
  for (const who of [api.agent, api.viewer, api.approver, await api.withKey("tools:write", "guard:write")]) {
    expect(await who.refusal(mcpServerEndpoints.create, { body })).toMatchObject({ status: 403 });
    expect(await who.refusal(mcpServerEndpoints.testDraft, { body })).toMatchObject({ status: 403 });
  }
  const { id } = await add(api.admin, newAlias(), [filesystem, folder], { enabled: false });
  expect(await api.stranger.refusal(mcpServerEndpoints.get, { params: { id } })).toMatchObject({ status: 404 });
  expect(await api.stranger.refusal(mcpServerEndpoints.remove, { params: { id } })).toMatchObject({ status: 404 });
});

test("what does not fit is refused with the field, and a stale or taken one with what to do", async ({ api }) => {
  const alias = newAlias();
  const { id, version } = await add(api.admin, alias, [filesystem, folder], { enabled: false });
  const wrong = [
    [{ ...stdio("Not An Alias", []) }, "alias"],
    [{ alias: newAlias(), transport: "stdio" as const }, "command"],
    [{ alias: newAlias(), transport: "streamable_http" as const }, "url"],
    [{ alias: newAlias(), transport: "streamable_http" as const, url: "file:///etc/passwd" }, "url"],
  ] as const;
  for (const [body, field] of wrong) {
    const problem = await api.admin.refusal(mcpServerEndpoints.create, { body });
    expect(problem).toMatchObject({ status: 422, errors: [{ path: field }] });
  }
  expect(await api.admin.refusal(mcpServerEndpoints.create, { body: stdio(alias, []) })).toMatchObject({
    status: 409,
    detail: expect.stringContaining(`named ${alias}`),
  });
  const headers = { "if-match": `"${version}"` };
  const body = stdio(alias, [filesystem, folder], { enabled: false });
  await api.admin.call(mcpServerEndpoints.update, { params: { id }, body }, { headers });
  expect(await api.admin.refusal(mcpServerEndpoints.update, { params: { id }, body }, { headers })).toMatchObject({ status: 412 });
});
