import path from "node:path";
import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { McpServer, McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { auditEvents, mcpServers, workspaces } from "@/db/schema";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { authorize, type BuiltWorkspace, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { sealPlainSettings } from "../settings/seal-plain-settings";
import { resolveArguments, resolveUrl } from "../settings/sealed-settings";
import { openArguments, openUrl } from "../settings/server-settings";
import { createServer } from "./create-server";
import { getServer } from "./get-server";
import { listServers } from "./list-servers";
import { reconnectServer } from "./reconnect-server";
import { removeServer } from "./remove-server";
import { setServerTier } from "./set-server-tier";
import { testDraft } from "./test-draft";
import { testServer } from "./test-server";
import { patchServer, updateServer } from "./update-server";

// The sandbox would hide the programs of the checkout; boxed-servers.long.test.ts tests programs in the sandbox.
process.env.HANDRAIL_SANDBOX = "off";
useTestDatabase();
const hostile = path.resolve("server/testing/mcp/hostile-mcp-server.mjs");
const never = new AbortController().signal;
let house: BuiltWorkspace;
beforeAll(async () => {
  house = await buildWorkspace();
});

const admin = () => authorize(house.admin, "mcp:write");
/** Returns an actor who may change servers but not start programs. */
const writer = () => requirePermission({ ...house.admin, permissions: new Set(["tools:read", "mcp:write"] as const) }, "mcp:write");
const reader = () => authorize(house.viewer, "tools:read");
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
    draft("github", { env: { TOKEN: secret, SHORT: "hunter2", REFERENCE: "$env:MCP_GITHUB_TOKEN" } }),
  );
  expect(McpServer.parse(created)).toMatchObject({
    alias: "github",
    status: "connecting",
    tier: "extension",
    env: { TOKEN: "gh***", SHORT: "***", REFERENCE: "$env:MCP_GITHUB_TOKEN" },
    version: 1,
    toolCount: 0,
  });
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, created.id));
  expect(JSON.stringify(row)).not.toContain(secret);
  const event = await lastEvent();
  expect(event).toMatchObject({ event: "mcp_server.created", subject: "github", actorId: house.admin.id });
  expect(JSON.stringify(event)).not.toMatch(/ghp_0123|hunter2/);
});

const argumentsOf = async (id: string) => {
  const [row] = await db().select().from(mcpServers).where(eq(mcpServers.id, id));
  if (!row) throw new Error("The server is gone");
  return { row, args: openArguments(row), url: openUrl(row) };
};

test("arguments and addresses are sealed in the row, masked in answers, and kept when they come back masked", async () => {
  const url = "postgres://app:correct-horse@db/app";
  const secret = "8eCRXmzWAtnTFhYq2LsPzDk0";
  const created = await createServer(admin(), draft("database", { args: [hostile, url, "-s", secret, "--token", "hunter2"] }));
  expect(created.args).toEqual([hostile, expect.not.stringContaining("correct-horse"), "-s", "8e***k0", "--token", "***"]);
  await updateServer(admin(), created.id, draft("database", { args: created.args, callTimeoutSeconds: 5 }), 1);
  const { row, args } = await argumentsOf(created.id);
  expect(args).toEqual([hostile, url, "-s", secret, "--token", "hunter2"]);
  expect(JSON.stringify(row)).not.toMatch(/correct-horse|8eCRX|hunter2/);
  expect(JSON.stringify(await lastEvent())).not.toMatch(/correct-horse|8eCRX|hunter2/);
  // A reader may be an agent, so a reader sees no values.
  expect((await getServer(reader(), created.id)).args).toEqual([expect.stringContaining("***"), "po***", "-s", "8e***", "--token", "***"]);

  const web = await createServer(admin(), http("keyed", { url: "https://mcp.example.com/s/8eCRXmzWAtnTFhYq2LsPzDk0/mcp?api_key=hunter2" }));
  expect(web.url).toBe("https://mcp.example.com/s/8e***k0/mcp?api_key=***");
  expect((await getServer(reader(), web.id)).url).toBe("https://mcp.example.com/***");
  await updateServer(admin(), web.id, http("keyed", { url: web.url, callTimeoutSeconds: 5 }), null);
  expect((await argumentsOf(web.id)).url).toContain("api_key=hunter2");
});

test("an argument or address with a mask that stands for nothing, or for two things, is refused by its place", async () => {
  const created = await createServer(admin(), draft("masks", { args: ["--token", "one", "--secret", "two"] }));
  expect(created.args).toEqual(["--token", "***", "--secret", "***"]);
  await expect(updateServer(admin(), created.id, draft("masks", { args: ["***"] }), null)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "args.0", message: expect.stringContaining("masked value") }] },
  });
  expect(await codeOf(updateServer(admin(), created.id, http("masks", { url: "https://example.com/?api_key=***" }), null))).toBe("invalid");
});

test("arguments and addresses may refer to variables that servers are given, and to no others", async () => {
  await createServer(admin(), draft("referring", { args: ["--key=${MCP_KEY}", "$$" + "{HOME}"], enabled: false }));
  await expect(createServer(admin(), draft("bad", { args: ["x", "--key=${DATABASE_URL}"] }))).rejects.toMatchObject({
    details: { errors: [{ path: "args.1", message: expect.stringContaining("DATABASE_URL") }] },
  });
  expect(await codeOf(createServer(admin(), http("bad", { url: "https://example.com/?k=${HANDRAIL_SECRET_KEY}" })))).toBe("invalid");
  const variables = { MCP_KEY: "a b&c" };
  expect(resolveArguments(["--key=${MCP_KEY}", "$$" + "{HOME}", "$env:MCP_KEY"], variables, [])).toEqual([
    "--key=a b&c",
    "${HOME}",
    "a b&c",
  ]);
  expect(resolveUrl("https://example.com/?k=${MCP_KEY}", variables, [])).toBe("https://example.com/?k=a%20b%26c");
  expect(() => resolveArguments(["x", "${MCP_NOT_SET}"], variables, [])).toThrow(
    "Argument 2 refers to the environment variable MCP_NOT_SET",
  );
});

test("rows of before the sealing are sealed at the start, and read as they were", async () => {
  const { id } = await createServer(admin(), draft("old", { enabled: false }));
  await db()
    .update(mcpServers)
    .set({ args: ["--token", "hunter2"], argsSealed: null })
    .where(eq(mcpServers.id, id));
  expect((await argumentsOf(id)).args).toEqual(["--token", "hunter2"]);
  await sealPlainSettings();
  const { row, args } = await argumentsOf(id);
  expect(args).toEqual(["--token", "hunter2"]);
  expect(row.args).toEqual([]);
});

test("PATCH changes the settings that are sent and leaves the others, unreadable secrets included", async () => {
  const secret = "ghp_0123456789abcdefghij";
  const given = { args: [hostile, "--token", secret], env: { TOKEN: secret }, allowedTools: ["echo"], cwd: "/tmp", tier: "core" as const };
  const created = await createServer(admin(), draft("patched", { ...given, enabled: false }));
  const before = await argumentsOf(created.id);
  expect(await patchServer(admin(), created.id, { callTimeoutSeconds: 7 }, 1)).toMatchObject({
    callTimeoutSeconds: 7,
    allowedTools: ["echo"],
    cwd: "/tmp",
    tier: "core",
    version: 2,
  });
  const after = await argumentsOf(created.id);
  expect([after.row.argsSealed, after.row.envSealed]).toEqual([before.row.argsSealed, before.row.envSealed]);
  expect(await codeOf(patchServer(admin(), created.id, { tier: "extension" }, 1))).toBe("stale_version");
  expect(await codeOf(patchServer(admin(), created.id, { transport: "sse" }, null))).toBe("invalid");
  const masked = await patchServer(admin(), created.id, { env: { ...created.env, MORE: "x" } }, null);
  expect(masked.env).toEqual({ TOKEN: "gh***", MORE: "***" });

  await db().update(mcpServers).set({ envSealed: "v1.of.another-key" }).where(eq(mcpServers.id, created.id));
  await patchServer(admin(), created.id, { connectTimeoutSeconds: 9 }, null);
  expect((await argumentsOf(created.id)).row.envSealed).toBe("v1.of.another-key");

  const web = await createServer(
    admin(),
    http("patched-web", { url: "https://example.com/mcp?api_key=hunter2hunter2", headers: { A: secret } }),
  );
  await patchServer(admin(), web.id, { transport: "sse" }, null);
  const stored = await argumentsOf(web.id);
  expect([stored.row.transport, stored.url]).toEqual(["sse", "https://example.com/mcp?api_key=hunter2hunter2"]);
  expect(await codeOf(patchServer(writer(), created.id, { args: ["x"] }, null))).toBe("forbidden");
  await patchServer(writer(), created.id, { tier: "extension" }, null);
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

test("stored headers are not sent to another host: its draft has to bring them", async () => {
  const created = await createServer(admin(), http("moved", { headers: { Authorization: "Bearer abcdefghijkl" } }));
  const elsewhere = { url: "https://mcp.example.org/mcp", headers: created.headers };
  await expect(updateServer(admin(), created.id, http("moved", elsewhere), null)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "headers.Authorization", message: expect.stringContaining("Type the secret itself") }] },
  });
  expect(await codeOf(testDraft(admin(), http("moved", elsewhere), never))).toBe("invalid");
  expect(await codeOf(patchServer(admin(), created.id, { url: elsewhere.url }, null))).toBe("invalid");
  const samePlace = http("moved", { url: "https://mcp.example.com/other", headers: created.headers });
  expect((await updateServer(admin(), created.id, samePlace, null)).url).toBe("https://mcp.example.com/other");
  const typed = http("moved", { ...elsewhere, headers: { Authorization: "Bearer typed again" } });
  expect((await updateServer(admin(), created.id, typed, null)).url).toBe(elsewhere.url);
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
  expect((await createServer(authorize(other.admin, "mcp:write"), draft("twice"))).alias).toBe("twice");
  const { id } = await createServer(admin(), draft("free"));
  expect(await codeOf(updateServer(admin(), id, draft("twice"), null))).toBe("conflict");
});

test("without mcp:run no stdio server is added, tested or given another program, and servers over HTTP are", async () => {
  const sentence =
    "A stdio server is a program that Handrail starts on its machine, which needs mcp:run, and your role does not include it. Ask an admin of the workspace, or add a server over HTTP.";
  const { id } = await createServer(admin(), draft("program"));
  const starts = [
    () => createServer(writer(), draft("root", { command: "/bin/sh" })),
    () => testDraft(writer(), draft("program"), never),
    () => testServer(writer(), id, never),
    () => updateServer(writer(), id, draft("program", { args: [hostile, "dies"] }), null),
    () => updateServer(writer(), id, draft("program", { env: { NODE_OPTIONS: "--require /tmp/x" } }), null),
    () => updateServer(writer(), id, draft("program", { cwd: "/srv" }), null),
    () => updateServer(writer(), id, draft("program", { network: "hosts", allowedHosts: ["10.0.0.1:5432"] }), null),
  ];
  for (const start of starts) await expect(start()).rejects.toThrow(sentence);
  const { id: webId } = await createServer(writer(), http("allowed"));
  await expect(updateServer(writer(), webId, draft("allowed"), null)).rejects.toThrow(sentence);
  expect(await updateServer(writer(), id, draft("program", { enabled: false, callTimeoutSeconds: 5, tier: "core" }), null)).toMatchObject({
    enabled: false,
    callTimeoutSeconds: 5,
  });
});

test("a stdio server has its network and allowed hosts, and an entry that is no host is refused with a sentence", async () => {
  expect(await createServer(admin(), draft("open"))).toMatchObject({ network: "open", allowedHosts: [] });
  const hosts = { network: "hosts", allowedHosts: ["api.example.com", "10.0.0.1:8080"] } as const;
  expect(await createServer(admin(), draft("closed", { ...hosts, allowedHosts: [...hosts.allowedHosts] }))).toMatchObject(hosts);
  await expect(createServer(admin(), draft("wrong", { network: "hosts", allowedHosts: ["https://example.com/"] }))).rejects.toThrow(
    '"https://example.com/" is not a host.',
  );
});

test("a stdio server says why its program is not confined where the sandbox is off, and a server over HTTP says nothing", async () => {
  expect((await createServer(admin(), draft("unconfined"))).unconfined).toMatch(
    /^This server's program is not confined\. HANDRAIL_SANDBOX is off/,
  );
  expect((await createServer(admin(), http("remote"))).unconfined).toBeNull();
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
  const stranger = authorize(other.admin, "mcp:write");
  expect(await codeOf(getServer(authorize(other.viewer, "tools:read"), id))).toBe("not_found");
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
  const owner = authorize(other.admin, "mcp:write");
  for (const alias of ["c", "a", "b"]) await createServer(owner, draft(alias));
  const viewer = authorize(other.viewer, "tools:read");
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

test("two hundred servers are listed page by page, each once, and found by their words", async () => {
  const { admin: owner, viewer } = await buildWorkspace();
  const aliases = Array.from({ length: 200 }, (_, index) => `server-${String(index).padStart(3, "0")}`);
  for (const alias of aliases) await createServer(authorize(owner, "mcp:write"), draft(alias, { enabled: false }));
  const asReader = authorize(viewer, "tools:read");
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listServers>> = await listServers(asReader, { limit: 60, ...(cursor ? { cursor } : {}) });
    expect(page.total).toBe(200);
    seen.push(...page.items.map(({ alias }) => alias));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(aliases);
  const found = await listServers(asReader, { query: "server 17", status: "disabled" });
  expect([found.total, found.items.map(({ alias }) => alias)]).toEqual([12, aliases.filter((alias) => alias.includes("17"))]);
  expect((await listServers(authorize(house.viewer, "tools:read"), { query: "server-199" })).total).toBe(0);
});
