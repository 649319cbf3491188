import path from "node:path";
import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { McpServer, McpServerDraft } from "@/contracts/mcp-servers";
import { auditEvents, mcpServers, workspaces } from "@/db/schema";
import { db } from "@/server/platform/database";
import { isAppError } from "@/server/platform/errors";
import { type BuiltWorkspace, buildWorkspace, holding } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { createServer } from "./create-server";
import { getServer } from "./get-server";
import { listServers } from "./list-servers";
import { reconnectServer } from "./reconnect-server";
import { removeServer } from "./remove-server";
import { setServerTier } from "./set-server-tier";
import { testDraft } from "./test-draft";
import { testServer } from "./test-server";
import { updateServer } from "./update-server";

useTestDatabase();
const hostile = path.resolve("server/testing/hostile-mcp-server.mjs");
const never = new AbortController().signal;
let house: BuiltWorkspace;
beforeAll(async () => {
  house = await buildWorkspace();
});

const admin = () => holding(house.admin, "mcp:write");
const reader = () => holding(house.viewer, "tools:read");
const draft = (alias: string, rest: Partial<McpServerDraft> = {}) =>
  McpServerDraft.parse({ alias, transport: "stdio", command: process.execPath, args: [hostile], ...rest });
const http = (alias: string, rest: Partial<McpServerDraft> = {}) =>
  McpServerDraft.parse({ alias, transport: "streamable_http", url: "https://mcp.example.com/mcp", ...rest });

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error) => (isAppError(error) ? error.code : Promise.reject(error)),
  );
}

async function lastEvent() {
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.workspaceId, house.workspace.id))
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return event;
}

test("a server is added at once, shown with its secrets masked, sealed in its row and recorded without them", async () => {
  const secret = "ghp_0123456789abcdefghij";
  const created = await createServer(
    admin(),
    draft("github", { env: { TOKEN: secret, SHORT: "hunter2", REFERENCE: "$env:GITHUB_TOKEN" } }),
  );
  expect(McpServer.parse(created)).toMatchObject({
    alias: "github",
    status: "connecting",
    tier: "extension",
    env: { TOKEN: "gh***", SHORT: "***", REFERENCE: "$env:GITHUB_TOKEN" },
    version: 1,
    toolCount: 0,
  });
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  expect(JSON.stringify(row)).not.toContain(secret);
  const event = await lastEvent();
  expect(event).toMatchObject({ event: "mcp_server.created", subject: "github", actorId: house.admin.id });
  expect(JSON.stringify(event)).not.toMatch(/ghp_0123|hunter2/);
});

test("a password in an argument or an address is masked, and kept when it comes back masked", async () => {
  const url = "postgres://app:correct-horse@db/app";
  const created = await createServer(admin(), draft("database", { args: [hostile, url] }));
  expect(created.args[1]).not.toContain("correct-horse");
  await updateServer(admin(), created.id, draft("database", { args: created.args, callTimeoutSeconds: 5 }), 1);
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  expect(row?.args[1]).toBe(url);
});

test("masked secrets that come back keep the old ones, and new values replace them", async () => {
  const created = await createServer(admin(), http("web", { headers: { Authorization: "Bearer abcdefghijkl", "X-Team": "blue" } }));
  const [before] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  const same = await updateServer(admin(), created.id, http("web", { headers: created.headers }), null);
  const [after] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  expect(after?.headersSealed).toBe(before?.headersSealed);
  const changed = await updateServer(
    admin(),
    created.id,
    http("web", { headers: { ...same.headers, Authorization: "Bearer zyxwvutsrq" } }),
    2,
  );
  expect(changed.version).toBe(3);
  const [last] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  expect(last?.headersSealed).not.toBe(before?.headersSealed);
});

test("a mask under another name and a reference to our own secrets are refused, and nothing is saved", async () => {
  expect(await codeOf(createServer(admin(), draft("bad", { env: { NEW: "gh***" } })))).toBe("invalid");
  expect(await codeOf(createServer(admin(), draft("bad", { env: { A: "$env:DATABASE_URL" } })))).toBe("invalid");
  const { items } = await listServers(reader());
  expect(items.map(({ alias }) => alias)).not.toContain("bad");
});

test("an alias is taken once in a workspace, and another workspace may have it too", async () => {
  await createServer(admin(), draft("twice"));
  await expect(createServer(admin(), draft("twice"))).rejects.toThrow("There is an MCP server named twice");
  const other = await buildWorkspace();
  expect((await createServer(holding(other.admin, "mcp:write"), draft("twice"))).alias).toBe("twice");
  const { id } = await createServer(admin(), draft("free"));
  expect(await codeOf(updateServer(admin(), id, draft("twice"), null))).toBe("conflict");
});

test("two admins do not overwrite each other: a stale version is refused", async () => {
  const { id } = await createServer(admin(), draft("stale"));
  await updateServer(admin(), id, draft("stale", { callTimeoutSeconds: 5 }), 1);
  expect(await codeOf(updateServer(admin(), id, draft("stale"), 1))).toBe("stale_version");
  expect(await codeOf(setServerTier(admin(), id, "core", 1))).toBe("stale_version");
  expect(await codeOf(removeServer(admin(), id, 1))).toBe("stale_version");
  expect((await getServer(reader(), id)).callTimeoutSeconds).toBe(5);
});

test("another workspace's server does not exist", async () => {
  const { id } = await createServer(admin(), draft("mine"));
  const other = await buildWorkspace();
  const stranger = holding(other.admin, "mcp:write");
  expect(await codeOf(getServer(holding(other.viewer, "tools:read"), id))).toBe("not_found");
  expect(await codeOf(updateServer(stranger, id, draft("mine"), null))).toBe("not_found");
  expect(await codeOf(removeServer(stranger, id, null))).toBe("not_found");
  expect(await codeOf(testServer(stranger, id, never))).toBe("not_found");
  expect(await codeOf(reconnectServer(stranger, id))).toBe("not_found");
});

test("the tier of all its tools is a change of its own in the audit and in the config version", async () => {
  const { id } = await createServer(admin(), draft("tier"));
  const version = async () => (await db().select().from(workspaces).where(eq(workspaces.id, house.workspace.id)))[0]?.configVersion ?? 0;
  const before = await version();
  expect(await setServerTier(admin(), id, "core", 1)).toMatchObject({ tier: "core", version: 2 });
  expect(await version()).toBe(before + 1);
  expect(await lastEvent()).toMatchObject({ event: "mcp_server.tier_changed", data: { tier: "core", before: "extension" } });
});

test("a server that is switched off says so, and cannot be connected until it is switched on", async () => {
  const { id } = await createServer(admin(), draft("off", { enabled: false }));
  expect(await getServer(reader(), id)).toMatchObject({ status: "disabled", enabled: false });
  expect(await codeOf(reconnectServer(admin(), id))).toBe("conflict");
  expect((await updateServer(admin(), id, draft("off"), null)).status).toBe("connecting");
});

test("servers are listed by alias, in pages", async () => {
  const other = await buildWorkspace();
  const owner = holding(other.admin, "mcp:write");
  for (const alias of ["c", "a", "b"]) await createServer(owner, draft(alias));
  const viewer = holding(other.viewer, "tools:read");
  const first = await listServers(viewer, { limit: 2 });
  expect(first).toMatchObject({ items: [{ alias: "a" }, { alias: "b" }], total: 3 });
  expect(await listServers(viewer, { limit: 2, cursor: first.nextCursor ?? "" })).toMatchObject({
    items: [{ alias: "c" }],
    nextCursor: null,
  });
});

test("a removed server is gone with one row in the audit", async () => {
  const { id } = await createServer(admin(), draft("removed"));
  await removeServer(admin(), id, 1);
  expect(await codeOf(getServer(reader(), id))).toBe("not_found");
  expect(await lastEvent()).toMatchObject({ event: "mcp_server.removed", subject: "removed" });
});

test("settings are tested before they are saved: how long it took, which tools there are, or why not", async () => {
  expect(await testDraft(admin(), draft("try"), never)).toMatchObject({
    ok: true,
    latencyMs: expect.any(Number),
    tools: expect.arrayContaining([{ name: "echo", description: "Tool echo" }]),
    error: null,
  });
  expect(await testDraft(admin(), draft("try", { args: [hostile, "dies"] }), never)).toMatchObject({
    ok: false,
    tools: [],
    error: "The server stopped (exit code 3) before it was ready.",
    stderr: expect.stringContaining("no configuration found"),
  });
});

test("a form that is tested while it is edited uses the saved secrets behind its masks", async () => {
  const created = await createServer(
    admin(),
    draft("form", { args: [hostile, "dies", "$PASSWORD"], env: { PASSWORD: "correct horse battery" } }),
  );
  const tested = await testDraft(admin(), draft("form", { env: created.env }), never);
  expect(tested.ok).toBe(true);
  expect(await codeOf(testDraft(admin(), draft("unknown", { env: created.env }), never))).toBe("invalid");
});

test("secrets sealed with a key that is gone are a sentence, and can be replaced", async () => {
  const { id } = await createServer(admin(), draft("sealed", { env: { A: "correct horse battery" } }));
  await db().update(mcpServers).set({ envSealed: "v1.AAAA.AAAAAAAAAAAAAAAAAAAAAAAA" }).where(eq(mcpServers.id, id));
  expect((await testServer(admin(), id, never)).error).toContain("HANDRAIL_SECRET_KEY");
  expect((await getServer(reader(), id)).env).toEqual({});
  await updateServer(admin(), id, draft("sealed", { env: { A: "another secret now" } }), null);
  expect((await testServer(admin(), id, never)).ok).toBe(true);
});
