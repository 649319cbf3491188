import { copyFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { auditEvents, mcpServers, tools } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { hostile, useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { setTier, updateTool } from "@/server/tools/admin/update-tool";
import { loadTools } from "@/server/tools/catalog";
import { liveTool } from "@/server/tools/live-tools";
import { createServer } from "../servers/create-server";
import { getServer } from "../servers/get-server";
import { listServerTools } from "../servers/list-server-tools";
import { reconnectServer } from "../servers/reconnect-server";
import { removeServer } from "../servers/remove-server";
import { patchServer, updateServer } from "../servers/update-server";
import { pauseBefore } from "./keep-session";

const filesystem = path.resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const { admin, reader, connected, draft, folder, house, marker, patience, processes, refusalOf, rowsOf, run, start, statusOf, stop, tool } =
  useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

test("a new server's tools appear by themselves as alias__tool, under extension, and run", async () => {
  await start();
  await writeFile(path.join(folder(), "a.txt"), "hello");
  const server = await connected("fs", [filesystem, folder()]);
  expect(server).toMatchObject({ serverInfo: { name: "secure-filesystem-server" }, lastError: null, toolCount: expect.any(Number) });
  const rows = await rowsOf(server.id);
  expect(rows.length).toBe(server.toolCount);
  expect(rows.find(({ name }) => name === "fs__read_text_file")).toMatchObject({
    source: "mcp",
    family: "fs",
    effect: "read",
    primaryArgument: "path",
    defaultTier: "extension",
    disclosureTier: null,
    enabled: true,
    availability: "available",
  });
  expect(rows.find(({ name }) => name === "fs__write_file")?.effect).toBe("destroy");
  expect(await run(server.id, "fs__read_text_file", { path: path.join(folder(), "a.txt") })).toBe("hello");
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "mcp_server.tools_changed"), eq(auditEvents.subject, "fs")));
  expect(event?.data).toMatchObject({ added: expect.arrayContaining(["fs__read_text_file"]), removed: [] });
});

test("a server that answers the greeting or the list with an error shows the server's own words", async () => {
  await start();
  const greeting = await createServer(admin(), draft("greeting", [hostile, "refuses_initialize", marker]));
  const list = await createServer(admin(), draft("list", [hostile, "refuses_list", marker]));
  expect((await statusOf(greeting.id, "error")).lastError).toContain("The server answered with an error: The licence has ended");
  expect((await statusOf(list.id, "error")).lastError).toContain("The server answered with an error: No access to this project");
  expect([await rowsOf(greeting.id), await rowsOf(list.id)]).toEqual([[], []]);
});

test("servers that fail are a warning each, with their last words, and their neighbours are well", async () => {
  await start();
  const dying = await createServer(admin(), draft("dying", [hostile, "dies", marker]));
  const missing = await createServer(admin(), draft("missing", [], { command: "handrail-no-such-command" }));
  const silent = await createServer(admin(), draft("silent", [hostile, "hangs", marker], { connectTimeoutSeconds: 1 }));
  const well = await connected("well", [hostile]);
  expect(await statusOf(dying.id, "error")).toMatchObject({
    lastError: expect.stringContaining("exit code 3"),
    lastStderr: expect.stringContaining("Fatal"),
  });
  expect((await statusOf(missing.id, "error")).lastError).toContain("was not found");
  expect((await statusOf(silent.id, "error")).lastError).toContain("did not answer within 1 seconds");
  expect(await run(well.id, "well__echo", { a: 1 })).toBe('{"a":1}');
  await stop();
  expect(await processes()).toEqual([]);
});

test("a server that is gone keeps its tools listed as stale with the reason, and comes back when it can", async () => {
  await start();
  const script = path.join(folder(), "server.mjs");
  await copyFile(hostile, script);
  const { id, toolCount } = await connected("gone", [script]);
  await rm(script);
  await refusalOf(run(id, "gone__die"));
  const server = await statusOf(id, "error");
  expect(server).toMatchObject({ toolCount, lastStderr: expect.any(String) });
  await expect.poll(async () => (await rowsOf(id)).every(({ availability }) => availability === "stale"), patience).toBe(true);
  expect((await rowsOf(id))[0]?.availabilityReason).toContain('The MCP server "gone" is away');
  await expect.poll(() => refusalOf(run(id, "gone__echo")), patience).toContain("gone is not connected. The server stopped");
  await copyFile(hostile, script);
  expect(await reconnectServer(admin(), id)).toMatchObject({ ok: true, error: null });
  expect(await run(id, "gone__echo", { a: 1 })).toBe('{"a":1}');
  const changes = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "mcp_server.tools_changed"), eq(auditEvents.subject, "gone")));
  expect(changes).toHaveLength(1);
  await statusOf(id, "connected");
});

test("tools that a server adds later appear, and what an admin decided about the others stays", async () => {
  await start();
  const { id } = await connected("growing", [hostile]);
  await db()
    .update(tools)
    .set({ enabled: false, descriptionOverride: "Ours" })
    .where(and(eq(tools.mcpServerId, id), eq(tools.name, "growing__echo")));
  await run(id, "growing__grow");
  await expect.poll(async () => (await rowsOf(id)).map(({ name }) => name), patience).toContain("growing__grown_0");
  expect((await rowsOf(id)).find(({ name }) => name === "growing__echo")).toMatchObject({ enabled: false, descriptionOverride: "Ours" });
});

test("new settings open a new connection and then close the old one", async () => {
  await start();
  const { id } = await connected("moving", [hostile, "well", `${marker}-one`]);
  await updateServer(admin(), id, draft("moving", [hostile, "many", `${marker}-two`]), null);
  await expect.poll(async () => (await rowsOf(id)).length, patience).toBe(200);
  await expect
    .poll(async () => (await processes()).map((line) => /one|two/.exec(line.split(marker)[1] ?? "")?.[0]), patience)
    .toEqual(["two"]);
  await statusOf(id, "connected");
});

test("a server's time limit for calls is each tool's, until a person sets another one for a tool", async () => {
  await start();
  const { id } = await connected("timed", [hostile], { callTimeoutSeconds: 7 });
  const timeouts = async () =>
    new Set((await loadTools(house().workspace.id)).filter(({ sourceRef }) => sourceRef === id).map((row) => row.effectiveTimeoutMs));
  expect(await timeouts()).toEqual(new Set([7_000]));
  expect(tool(id, "timed__echo").timeoutMs).toBe(7_000);
  await updateTool(authorize(house().admin, "tools:write"), "timed__echo", { timeoutMs: 90_000 }, null);
  await updateServer(admin(), id, draft("timed", [hostile], { callTimeoutSeconds: 9 }), null);
  await expect.poll(timeouts, patience).toEqual(new Set([9_000, 90_000]));
});

test("only the allowed tools are there, and the others can still be seen to be left out", async () => {
  await start();
  const { id } = await connected("some", [hostile], { allowedTools: ["echo", "no_such_tool"] });
  expect((await rowsOf(id)).map(({ name }) => name)).toEqual(["some__echo"]);
  expect(() => tool(id, "some__die")).toThrow("not there to run");
  const { items } = await listServerTools(reader(), id);
  expect(items.find(({ rawName }) => rawName === "echo")?.allowed).toBe(true);
  expect(items.find(({ rawName }) => rawName === "die")?.allowed).toBe(false);
});

test("strange names and broken schemas become tools that can be called, or say why not", async () => {
  await start();
  const odd = await connected("strange", [hostile, "odd"]);
  const names = (await rowsOf(odd.id)).map(({ name }) => name);
  expect(names).toHaveLength(4);
  for (const name of names) expect(await run(odd.id, name)).toBe("unknown");
  const bare = await connected("bare", [hostile, "bare"]);
  expect((await rowsOf(bare.id)).find(({ name }) => name === "bare__bad_schema")).toMatchObject({
    availability: "unavailable",
    availabilityReason: expect.stringContaining("does not compile"),
  });
  expect((await rowsOf(bare.id)).find(({ name }) => name === "bare__hidden")?.description).toBe("[MCP server: bare] Reads. Really.");
  expect(tool(bare.id, "bare__no_type").parse({})).toMatchObject({
    ok: false,
    message: expect.stringContaining("missing required param: a"),
  });
});

test("a server that is switched off or removed is closed with everything that it started", async () => {
  await start();
  const off = await connected("off", [hostile, "well", marker]);
  const removed = await connected("removed", [hostile, "well", marker]);
  expect(await processes()).toHaveLength(2);
  await updateServer(admin(), off.id, draft("off", [hostile, "well", marker], { enabled: false }), null);
  await removeServer(admin(), removed.id, null);
  await expect.poll(processes, patience).toEqual([]);
  expect(liveTool(house().workspace.id, { name: "off__echo", sourceRef: off.id })).toBeUndefined();
  expect(await rowsOf(removed.id)).toEqual([]);
  expect((await rowsOf(off.id)).length).toBeGreaterThan(0);
});

test("a replica follows another replica's changes", async () => {
  await start();
  const columns = { workspaceId: house().workspace.id, alias: "other", transport: "stdio" as const, command: process.execPath };
  const [row] = await db().transaction(async (tx) => {
    const inserted = await tx
      .insert(mcpServers)
      .values({ ...columns, args: [hostile, "well", marker] })
      .returning();
    await bumpConfigVersion(tx, house().workspace.id);
    return inserted;
  });
  if (!row) throw new Error("The server was not inserted");
  await statusOf(row.id, "connected");
  await db().transaction(async (tx) => {
    await tx.update(mcpServers).set({ enabled: false }).where(eq(mcpServers.id, row.id));
    await bumpConfigVersion(tx, house().workspace.id);
  });
  await expect.poll(processes, patience).toEqual([]);
});

test("after a restart the tools are there at once, and a call waits for the connection that is being made", async () => {
  await start();
  const { id } = await connected("warm", [hostile, "well", marker]);
  await stop();
  expect(await processes()).toEqual([]);
  await start();
  expect(await run(id, "warm__echo", { a: 1 })).toBe('{"a":1}');
});

test("stopping ends connections that are only being made, and stubborn programs with their children", async () => {
  await start();
  await createServer(admin(), draft("silent", [hostile, "hangs", marker]));
  await connected("stubborn", [hostile, "stubborn", "600", marker]);
  expect((await processes()).length).toBeGreaterThan(0);
  await stop();
  expect(await processes()).toEqual([]);
});

test("pauses between attempts grow, differ, and end at two minutes", () => {
  expect(pauseBefore(0, 0)).toBe(500);
  expect(pauseBefore(0, 1)).toBe(1_000);
  expect(pauseBefore(3, 1)).toBe(8_000);
  expect(pauseBefore(50, 1)).toBe(120_000);
});

test("a server that grows past 5,000 tools keeps its tools, and both are told", async () => {
  await start();
  const { id } = await connected("growing", [hostile, "grows"], { callTimeoutSeconds: 30 });
  expect((await rowsOf(id)).length).toBe(10);
  await run(id, "growing__grow");
  await expect.poll(async () => (await getServer(reader(), id)).toolCount, patience).toBe(5_000);
  expect(await getServer(reader(), id)).toMatchObject({
    status: "connected",
    lastError: null,
    toolNotes: ["The server lists more than 5,000 tools. The first 5,000 are taken."],
  });
  expect((await rowsOf(id)).map(({ name }) => name)).toContain("growing__tool_9");
  expect(await run(id, "growing__tool_9")).toBe("unknown");
  // A changed time limit changes every tool's row once.
  const server = await getServer(reader(), id);
  await updateServer(admin(), id, draft("growing", [hostile, "grows"], { callTimeoutSeconds: 31 }), server.version);
  await expect.poll(async () => new Set((await rowsOf(id)).map((row) => row.defaultTimeoutMs)), patience).toEqual(new Set([31_000]));
});

test("an error that nobody expected is one plain sentence, and never a statement of the database", async () => {
  await db().execute(sql`create function refuse_tools() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  await db().execute(sql`create trigger refuse_tools before insert on tools for each row execute function refuse_tools()`);
  try {
    await start();
    const { id } = await createServer(admin(), draft("unlucky", [hostile]));
    const { lastError } = await statusOf(id, "error");
    expect(lastError).toBe("An unexpected error ended the attempt. The log of Handrail has its details.");
  } finally {
    await db().execute(sql`drop trigger refuse_tools on tools`);
  }
});

test("an admin's settings of a tool return when the tool vanishes from its server and comes back", async () => {
  await start();
  const { id } = await connected("coming", [hostile], { tierPerTool: true });
  const toolsAdmin = authorize(house().admin, "tools:write");
  const set = { enabled: false, timeoutMs: 5_000, description: "Ours", effect: "read" as const, requiredTrust: "operator" as const };
  await updateTool(toolsAdmin, "coming__echo", set, null);
  await setTier(toolsAdmin, "coming__echo", "core", null);
  const echo = async () => (await loadTools(house().workspace.id)).find(({ name }) => name === "coming__echo");
  const before = await echo();
  expect(before).toMatchObject({ enabled: false, effect: "read", tier: "core", timeoutMs: 5_000, descriptionOverride: "Ours" });
  await patchServer(admin(), id, { allowedTools: ["die"] }, null);
  await expect.poll(echo, patience).toBeUndefined();
  await patchServer(admin(), id, { allowedTools: null }, null);
  await expect.poll(echo, patience).toMatchObject({
    enabled: false,
    effect: "read",
    tier: "core",
    timeoutMs: 5_000,
    descriptionOverride: "Ours",
    requiredTrust: "operator",
  });
  expect((await rowsOf(id)).find(({ name }) => name === "coming__slow")).toMatchObject({ enabled: true, effectOverride: null });
});

test("an empty list of allowed tools allows none", async () => {
  await start();
  const { id } = await connected("none", [hostile], { allowedTools: [] });
  expect(await getServer(reader(), id)).toMatchObject({ allowedTools: [], toolCount: 0 });
  const { items } = await listServerTools(reader(), id);
  expect(new Set(items.map(({ allowed }) => allowed))).toEqual(new Set([false]));
});

test("a tier per tool needs the server's lock released, and an effect is an admin's word for any tool", async () => {
  await start();
  const { id, version } = await connected("single", [hostile]);
  const toolsAdmin = authorize(house().admin, "tools:write");
  const echo = async () => (await loadTools(house().workspace.id)).find(({ name }) => name === "single__echo");
  await expect(setTier(toolsAdmin, "single__echo", "core", null)).rejects.toMatchObject({
    code: "tier_locked",
    message: expect.stringContaining('its MCP server "single"'),
  });
  await patchServer(admin(), id, { tierPerTool: true }, version);
  expect(await setTier(toolsAdmin, "single__echo", "core", null)).toMatchObject({ tier: "core", tierLocked: false });
  expect((await loadTools(house().workspace.id)).find(({ name }) => name === "single__slow")).toMatchObject({ tier: "extension" });
  await patchServer(admin(), id, { tierPerTool: false }, null);
  expect(await echo()).toMatchObject({ tier: "extension" });

  expect(await echo()).toMatchObject({ effect: "destroy", concurrencySafe: true, idempotent: false });
  const reading = await updateTool(toolsAdmin, "single__echo", { effect: "read" }, null);
  expect(reading).toMatchObject({ effect: "read", concurrencySafe: true, overrides: { effect: "read" } });
  // The server calls the tool read-only; the admin overrides the effect.
  const doubted = await updateTool(toolsAdmin, "single__die_once", { effect: "destroy" }, null);
  expect(doubted).toMatchObject({ effect: "destroy", concurrencySafe: true, idempotent: false });
  expect(await updateTool(toolsAdmin, "single__die_once", { effect: null }, null)).toMatchObject({ effect: "read", idempotent: true });
});
