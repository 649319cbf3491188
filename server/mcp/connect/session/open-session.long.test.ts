import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { readAnswer } from "../content/read-answer";
import type { ServerSettings } from "../settings/server-settings";
import { openSession } from "./open-session";
import type { Session } from "./session";

process.env.HANDRAIL_LOG_LEVEL = "silent";
// The sandbox would hide the programs of the checkout; boxed-servers.long.test.ts tests programs in the sandbox.
process.env.HANDRAIL_SANDBOX = "off";
const dataFolder = mkdtempSync(path.join(tmpdir(), "handrail-sessions-"));
process.env.HANDRAIL_DATA_DIR = dataFolder;
afterAll(() => rm(dataFolder, { recursive: true, force: true }));
const modules = path.resolve("node_modules/@modelcontextprotocol");
const hostile = path.resolve("server/testing/mcp/hostile-mcp-server.mjs");
const sessions: Session[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

const program = (args: string[], rest: Partial<ServerSettings> = {}): ServerSettings => ({
  alias: "fs",
  transport: "stdio",
  command: process.execPath,
  args,
  env: {},
  id: null,
  cwd: null,
  network: "none",
  allowedHosts: [],
  url: null,
  headers: {},
  connectTimeoutSeconds: 20,
  ...rest,
});

async function open(settings: ServerSettings, signal = new AbortController().signal): Promise<Session> {
  const opening = await openSession(settings, { signal });
  if (!opening.ok) throw new Error(`${opening.error} ${opening.stderr ?? ""}`);
  sessions.push(opening.session);
  return opening.session;
}

async function failureOf(settings: ServerSettings, signal = new AbortController().signal) {
  const opening = await openSession(settings, { signal });
  if (opening.ok) sessions.push(opening.session);
  return opening.ok ? null : opening;
}

function call(session: Session, rawName: string, args = {}, options: { signal?: AbortSignal; progress?: (message: string) => void } = {}) {
  return session.callTool({
    rawName,
    args,
    inputSchema: { type: "object", properties: {} },
    signal: options.signal ?? new AbortController().signal,
    timeoutMs: 10_000,
    progress: options.progress ?? (() => {}),
  });
}

/** Lists the processes whose command line contains a text. */
async function processesWith(needle: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid,stat,args"]);
  return stdout.split("\n").filter((line) => line.includes(needle) && !/^\s*\d+\s+Z/.test(line));
}

test("the real filesystem server lists its tools and reads a file", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-mcp-"));
  await writeFile(path.join(folder, "a.txt"), "hello");
  const session = await open(program([path.join(modules, "server-filesystem/dist/index.js"), folder]));
  expect(session.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["read_text_file", "write_file", "list_directory"]));
  expect(session.tools.find(({ name }) => name === "read_text_file")?.annotations?.readOnlyHint).toBe(true);
  expect(session.serverInfo?.name).toBe("secure-filesystem-server");
  const answer = await call(session, "read_text_file", { path: path.join(folder, "a.txt") });
  expect(answer.content).toEqual([{ type: "text", text: "hello" }]);
  await rm(folder, { recursive: true });
});

test("the real memory server keeps what it is told", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-mcp-"));
  const session = await open(
    program([path.join(modules, "server-memory/dist/index.js")], { env: { MEMORY_FILE_PATH: path.join(folder, "m.jsonl") } }),
  );
  await call(session, "create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }] });
  const graph = await call(session, "read_graph");
  expect(JSON.stringify(graph.content)).toContain("wrote programs");
  await rm(folder, { recursive: true });
});

test("the real everything server answers with text, structure, pictures and progress", async () => {
  const session = await open(program([path.join(modules, "server-everything/dist/index.js"), "stdio"]));
  expect((await call(session, "echo", { message: "hi" })).content).toEqual([{ type: "text", text: "Echo: hi" }]);
  expect(readAnswer(await call(session, "get-tiny-image"))).toMatchObject({ files: [{ mediaType: "image/png" }] });
  expect(readAnswer(await call(session, "get-structured-content", { location: "New York" }))).toMatchObject({
    structuredContent: { conditions: expect.any(String) },
  });
  const progress = vi.fn();
  await call(session, "trigger-long-running-operation", { duration: 1, steps: 2 }, { progress });
  expect(progress).toHaveBeenCalledWith("1 of 2", { progress: 1, total: 2 });
});

test("a server that dies at its start is a sentence and its last words, without the secrets it was given", async () => {
  const failure = await failureOf(program([hostile, "dies", "hunter2hunter2"], { env: { PASSWORD: "hunter2hunter2" } }));
  expect(failure).toMatchObject({ error: "The server stopped (exit code 3) before it was ready.", isFinal: false });
  expect(failure?.stderr).toBe("Fatal: no configuration found\nlooked for ***");
});

test("a server that never answers is given up after its time, and nothing of it stays", async () => {
  const marker = `hangs-${process.pid}`;
  const failure = await failureOf(program([hostile, "hangs", marker], { connectTimeoutSeconds: 1 }));
  expect(failure?.error).toBe("The server did not answer within 1 seconds.");
  expect(await processesWith(marker)).toEqual([]);
});

test("a program that is no MCP server and never stops talking is given up by what it says, not by the clock", async () => {
  const marker = `babbles-${process.pid}`;
  const failure = await failureOf(program([hostile, "babbles", marker], { connectTimeoutSeconds: 60 }));
  expect(failure?.error).toBe("The server wrote 4 MiB to its output that are not MCP. Check that the command starts an MCP server.");
  expect(failure?.stderr).toContain("no message at all");
  expect(await processesWith(marker)).toEqual([]);
});

test("a connection that nobody wants any more is given up at once", async () => {
  const abort = new AbortController();
  const opening = failureOf(program([hostile, "hangs"]), abort.signal);
  abort.abort();
  expect(await opening).toMatchObject({ ok: false });
});

test.each([
  [
    "a command that does not exist",
    program([], { command: "handrail-no-such-command" }),
    "The command handrail-no-such-command was not found.",
  ],
  ["a file that is no program", program([], { command: hostile }), "may not be executed"],
  ["a folder that does not exist", program([hostile], { cwd: "/no/such/folder" }), "The working folder /no/such/folder does not exist."],
  [
    "a variable that is not set",
    program([hostile], { env: { A: "$env:HANDRAIL_MCP_TEST_UNSET".replace("HANDRAIL_", "") } }),
    "MCP_TEST_UNSET, which is not set",
  ],
  ["our own secrets", program([hostile], { env: { A: "$env:HANDRAIL_SECRET_KEY" } }), "which belongs to Handrail"],
  ["an argument that no program can have", program(["a\u0000b"]), "null bytes"],
  ["an address where nobody listens", program([], { transport: "streamable_http", url: "http://127.0.0.1:59999/mcp" }), "Nothing listens"],
  ["a port that no browser would use", program([], { transport: "streamable_http", url: "http://127.0.0.1:9/mcp" }), "bad port"],
  ["an event stream where nobody listens", program([], { transport: "sse", url: "http://127.0.0.1:59999/sse" }), "Nothing listens"],
  ["a host that does not exist", program([], { transport: "streamable_http", url: "http://handrail.invalid/mcp" }), "host name"],
])("%s is refused with a sentence that says what to do", async (_title, settings, sentence) => {
  expect((await failureOf(settings))?.error).toContain(sentence);
});

test("a server that ends when it is asked about the newer protocol is asked again in the older one", async () => {
  const session = await open(program([hostile, "strict"]));
  expect(session.era).toBe("legacy");
  expect(session.tools.length).toBeGreaterThan(5);
});

test("a server that prints to its output by mistake is understood nevertheless", async () => {
  const session = await open(program([hostile, "noisy"]));
  expect((await call(session, "echo", { a: 1 })).content).toEqual([{ type: "text", text: '{"a":1}' }]);
  expect(session.stderr()).toContain("Starting server...");
});

test("two hundred tools in pages are all found, and a list that never ends is cut", async () => {
  expect((await open(program([hostile, "many"]))).tools).toHaveLength(200);
  expect((await open(program([hostile, "loops"]))).tools).toHaveLength(1);
});

test("a tool that is none is left out, and its neighbours stay", async () => {
  expect((await open(program([hostile, "bare"]))).tools.map(({ name }) => name)).toEqual([
    "no_schema",
    "no_type",
    "no_properties",
    "bad_schema",
    "hidden",
  ]);
  expect((await open(program([hostile, "odd"]))).tools).toHaveLength(4);
});

test.each([
  ["refuses_initialize", "The server answered with an error: The licence has ended"],
  ["refuses_list", "The server answered with an error: No access to this project"],
  ["unknown_version", "The server speaks a version of MCP that Handrail does not know: 1999-01-01."],
])("a server that %s is told by its answer, not by its end", async (mode, sentence) => {
  expect((await failureOf(program([hostile, mode])))?.error).toBe(sentence);
});

test("ten tools a page up to the limit of 5,000, and what is missing is said", async () => {
  const session = await open(program([hostile, "paged", "3000"]));
  expect([session.tools.length, session.notes]).toEqual([3_000, []]);
  const cut = await open(program([hostile, "paged", "5001"]));
  expect([cut.tools.length, cut.notes]).toEqual([5_000, ["The server lists more than 5,000 tools. The first 5,000 are taken."]]);
  expect((await open(program([hostile, "bare"]))).notes).toEqual([
    "2 entries of the server's list are left out, because MCP tools need a name.",
  ]);
});

test("a server without tools is connected and has none", async () => {
  expect((await open(program([hostile, "toolless"]))).tools).toEqual([]);
});

test("a server that dies while a call runs ends the call, and says how it died", async () => {
  const session = await open(program([hostile]));
  const lost = new Promise<string>((resolve) => session.onLost(resolve));
  await expect(call(session, "die")).rejects.toThrow();
  expect(await lost).toBe("The server stopped (exit code 9).");
  expect(session.stderr()).toBe("out of memory");
  await expect(call(session, "echo")).rejects.toThrow();
});

test("an answer of fifty megabytes ends its call, in bounded memory, and the call beside it is answered", async () => {
  const session = await open(program([hostile]));
  const before = process.memoryUsage().rss;
  const huge = call(session, "huge");
  await expect(huge).rejects.toThrow("larger than 16 MiB");
  expect((await call(session, "echo", { still: "here" })).content).toEqual([{ type: "text", text: '{"still":"here"}' }]);
  expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
});

test("an endless line that answers nobody ends the connection with its reason", async () => {
  const session = await open(program([hostile]));
  const lost = new Promise<string>((resolve) => session.onLost(resolve));
  await expect(call(session, "huge_unknown")).rejects.toThrow();
  expect(await lost).toContain("larger than 16 MiB");
});

test("a call that is stopped is told so to the server and ends at once", async () => {
  const session = await open(program([hostile]));
  const abort = new AbortController();
  const slow = call(session, "slow", {}, { signal: abort.signal });
  abort.abort();
  await expect(slow).rejects.toThrow();
  expect(session.inFlight()).toBe(0);
});

test("a change of the tool list is announced", async () => {
  const session = await open(program([hostile]));
  const changed = new Promise((resolve) => session.onChange(resolve));
  await call(session, "grow");
  await changed;
  expect((await session.listTools()).tools.map(({ name }) => name)).toContain("grown_0");
});

test("a flood of changed tool lists is told while it lasts, and a flood of logs tells nobody anything", async () => {
  const session = await open(program([hostile]));
  const changed = vi.fn();
  session.onChange(changed);
  const flood = call(session, "flood_changes", { count: 100_000 });
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect((await flood).content).toEqual([{ type: "text", text: "done" }]);
  expect((await call(session, "flood_logs", { count: 20_000 })).content).toEqual([{ type: "text", text: "done" }]);
});

test("a stubborn server and the children it started are gone when the session is closed", async () => {
  const marker = `7${process.pid}`;
  const session = await open(program([hostile, "stubborn", marker]));
  expect(await processesWith(marker)).toHaveLength(2);
  await session.close();
  expect(await processesWith(marker)).toEqual([]);
});
