import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { McpServerDraft } from "@/contracts/mcp-servers";
import { auditEvents, mcpServers, tools } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { listenForSignals } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { isAppError } from "@/server/platform/errors";
import { type BuiltWorkspace, buildWorkspace, holding } from "@/server/testing/builders";
import { freePort, startEverythingServer } from "@/server/testing/everything-server";
import { runTool } from "@/server/testing/run-tool";
import { useTestDatabase } from "@/server/testing/test-database";
import { type AnyTool, isRichResult } from "@/server/tools/define-tool";
import { liveTool } from "@/server/tools/live-tools";
import { connectMcpServers } from "./connect-servers";
import { pauseBefore } from "./connection";
import { createServer } from "./create-server";
import { getServer } from "./get-server";
import { listServerTools } from "./list-server-tools";
import { reconnectServer } from "./reconnect-server";
import { removeServer } from "./remove-server";
import { updateServer } from "./update-server";

useTestDatabase();
const modules = path.resolve("node_modules/@modelcontextprotocol");
const filesystem = path.join(modules, "server-filesystem/dist/index.js");
const hostile = path.resolve("server/testing/hostile-mcp-server.mjs");
const marker = `handrail-connections-${process.pid}`;
const patience = { timeout: 25_000, interval: 25 };
vi.setConfig({ testTimeout: 60_000 });

let house: BuiltWorkspace;
let folder: string;
let stop: () => Promise<void> = async () => {};
let unlisten: () => Promise<void>;
beforeAll(async () => {
  house = await buildWorkspace();
  folder = await mkdtemp(path.join(tmpdir(), "handrail-mcp-"));
  unlisten = await listenForSignals();
});
afterEach(async () => {
  await stop();
  stop = async () => {};
  await db().delete(mcpServers);
});
afterAll(async () => {
  await unlisten();
  await rm(folder, { recursive: true, force: true });
});

const admin = () => holding(house.admin, "mcp:write");
const reader = () => holding(house.viewer, "tools:read");
const draft = (alias: string, args: string[], rest: Partial<McpServerDraft> = {}) =>
  McpServerDraft.parse({ alias, transport: "stdio", command: process.execPath, args, connectTimeoutSeconds: 20, ...rest });

async function statusOf(id: string, status: string) {
  await expect.poll(async () => (await getServer(reader(), id)).status, patience).toBe(status);
  return getServer(reader(), id);
}

async function rowsOf(id: string) {
  return db().select().from(tools).where(eq(tools.mcpServerId, id)).orderBy(tools.name);
}

async function connected(alias: string, args: string[], rest: Partial<McpServerDraft> = {}) {
  const { id } = await createServer(admin(), draft(alias, args, rest));
  return statusOf(id, "connected");
}

function tool(serverId: string, name: string): AnyTool {
  const found = liveTool(house.workspace.id, { name, sourceRef: serverId });
  if (!found) throw new Error(`${name} is not there to run`);
  return found;
}

async function run(serverId: string, name: string, args = {}, progress: (message: string) => void = () => {}): Promise<string> {
  const result = await runTool(tool(serverId, name), args, { signal: AbortSignal.timeout(15_000), timeoutMs: 15_000, progress });
  return isRichResult(result) ? result.text : String(result);
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "nothing was refused",
    (error) => (isAppError(error) ? error.message : Promise.reject(error)),
  );
}

async function processes(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid,stat,args"]);
  return stdout.split("\n").filter((line) => line.includes(marker) && !/^\s*\d+\s+Z/.test(line) && !line.includes("ps -eo"));
}

test("a new server's tools appear by themselves as alias__tool, under extension, and run", async () => {
  stop = await connectMcpServers();
  await writeFile(path.join(folder, "a.txt"), "hello");
  const server = await connected("fs", [filesystem, folder]);
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
  expect(await run(server.id, "fs__read_text_file", { path: path.join(folder, "a.txt") })).toBe("hello");
  const [event] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, "mcp_server.tools_changed"), eq(auditEvents.subject, "fs")));
  expect(event?.data).toMatchObject({ added: expect.arrayContaining(["fs__read_text_file"]), removed: [] });
});

test("servers that fail are a warning each, with their last words, and their neighbours are well", async () => {
  stop = await connectMcpServers();
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

test("answers come back as what they are: errors in band, pictures as files, structure kept, progress as it happens", async () => {
  stop = await connectMcpServers();
  const { id } = await connected("odd", [hostile]);
  expect(await run(id, "odd__fail")).toBe("No such file: a.txt");
  expect(await run(id, "odd__refuse")).toContain("Not today");
  expect(await run(id, "odd__nothing")).toBe("(tool returned no content)");
  expect(await run(id, "odd__parts")).toBe("a picture\n[1-image.png: image/png, 3 bytes]");
  expect(await run(id, "odd__huge")).toContain("larger than 16 MiB");
  expect(await refusalOf(run(id, "odd__nonsense"))).toContain("not MCP");
  const progress = vi.fn();
  expect(await run(id, "odd__steps", {}, progress)).toBe("done");
  expect(progress).toHaveBeenCalledWith("half way (1 of 2)");
});

test("a server that dies during a call fails that call, is started again, and the next call runs", async () => {
  stop = await connectMcpServers();
  const { id } = await connected("fragile", [hostile]);
  const refused = await refusalOf(run(id, "fragile__die"));
  expect(refused).toContain("fragile stopped while the call was running. The server stopped (exit code 9).");
  expect(refused).toContain("not known");
  expect(await run(id, "fragile__echo", { back: true })).toBe('{"back":true}');
  await statusOf(id, "connected");
  expect((await rowsOf(id)).every(({ availability }) => availability === "available")).toBe(true);
});

test("a server that is gone keeps its tools listed as stale with the reason, and comes back when it can", async () => {
  stop = await connectMcpServers();
  const script = path.join(folder, "server.mjs");
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
  stop = await connectMcpServers();
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
  stop = await connectMcpServers();
  const { id } = await connected("moving", [hostile, "well", `${marker}-one`]);
  await updateServer(admin(), id, draft("moving", [hostile, "many", `${marker}-two`]), null);
  await expect.poll(async () => (await rowsOf(id)).length, patience).toBe(200);
  await expect
    .poll(async () => (await processes()).map((line) => /one|two/.exec(line.split(marker)[1] ?? "")?.[0]), patience)
    .toEqual(["two"]);
  await statusOf(id, "connected");
});

test("only the allowed tools are there, and the others can still be seen to be left out", async () => {
  stop = await connectMcpServers();
  const { id } = await connected("some", [hostile], { allowedTools: ["echo", "no_such_tool"] });
  expect((await rowsOf(id)).map(({ name }) => name)).toEqual(["some__echo"]);
  expect(() => tool(id, "some__die")).toThrow("not there to run");
  const { items } = await listServerTools(reader(), id);
  expect(items.find(({ rawName }) => rawName === "echo")?.allowed).toBe(true);
  expect(items.find(({ rawName }) => rawName === "die")?.allowed).toBe(false);
});

test("strange names and broken schemas become tools that can be called, or say why not", async () => {
  stop = await connectMcpServers();
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
  stop = await connectMcpServers();
  const off = await connected("off", [hostile, "well", marker]);
  const removed = await connected("removed", [hostile, "well", marker]);
  expect(await processes()).toHaveLength(2);
  await updateServer(admin(), off.id, draft("off", [hostile, "well", marker], { enabled: false }), null);
  await removeServer(admin(), removed.id, null);
  await expect.poll(processes, patience).toEqual([]);
  expect(liveTool(house.workspace.id, { name: "off__echo", sourceRef: off.id })).toBeUndefined();
  expect(await rowsOf(removed.id)).toEqual([]);
  expect((await rowsOf(off.id)).length).toBeGreaterThan(0);
});

test("what another replica changed is followed", async () => {
  stop = await connectMcpServers();
  const columns = { workspaceId: house.workspace.id, alias: "other", transport: "stdio" as const, command: process.execPath };
  const [row] = await db().transaction(async (tx) => {
    const inserted = await tx
      .insert(mcpServers)
      .values({ ...columns, args: [hostile, "well", marker] })
      .returning();
    await bumpConfigVersion(tx, house.workspace.id);
    return inserted;
  });
  if (!row) throw new Error("The server was not inserted");
  await statusOf(row.id, "connected");
  await db().transaction(async (tx) => {
    await tx.update(mcpServers).set({ enabled: false }).where(eq(mcpServers.id, row.id));
    await bumpConfigVersion(tx, house.workspace.id);
  });
  await expect.poll(processes, patience).toEqual([]);
});

test("after a restart the tools are there at once, and a call waits for the connection that is being made", async () => {
  stop = await connectMcpServers();
  const { id } = await connected("warm", [hostile, "well", marker]);
  await stop();
  expect(await processes()).toEqual([]);
  stop = await connectMcpServers();
  expect(await run(id, "warm__echo", { a: 1 })).toBe('{"a":1}');
});

test("stopping ends connections that are only being made, and stubborn programs with their children", async () => {
  stop = await connectMcpServers();
  await createServer(admin(), draft("silent", [hostile, "hangs", marker]));
  await connected("stubborn", [hostile, "stubborn", "600", marker]);
  expect((await processes()).length).toBeGreaterThan(0);
  await stop();
  expect(await processes()).toEqual([]);
});

test("a server over HTTP that was restarted is called in a new session, and nobody notices", async () => {
  stop = await connectMcpServers();
  const port = await freePort();
  let server = await startEverythingServer("streamableHttp", port);
  onTestFinished(() => void server.kill("SIGKILL"));
  const { id } = await createServer(
    admin(),
    McpServerDraft.parse({ alias: "web", transport: "streamable_http", url: `http://127.0.0.1:${port}/mcp` }),
  );
  await statusOf(id, "connected");
  expect(await run(id, "web__echo", { message: "one" })).toBe("Echo: one");
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
  server = await startEverythingServer("streamableHttp", port);
  expect(await run(id, "web__echo", { message: "two" })).toBe("Echo: two");
});

test("pauses between attempts grow, differ, and end at two minutes", () => {
  expect(pauseBefore(0, 0)).toBe(500);
  expect(pauseBefore(0, 1)).toBe(1_000);
  expect(pauseBefore(3, 1)).toBe(8_000);
  expect(pauseBefore(50, 1)).toBe(120_000);
});
