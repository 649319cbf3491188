import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { freePort, startEverythingServer } from "@/server/testing/mcp/everything-server";

const { connectedAs, patience, refusalOf, run, start, stop } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

const at = (port: number) =>
  McpServerDraft.parse({ alias: "web", transport: "streamable_http", url: `http://127.0.0.1:${port}/mcp`, trustHints: true });

async function startHostile(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.resolve("server/testing/mcp/hostile-mcp-http-server.mjs"), `${port}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

/** Connects to the hostile server. */
async function hostileServer() {
  await start();
  const port = await freePort();
  const child = await startHostile(port);
  const { id } = await connectedAs(at(port));
  const busy = async () => JSON.parse(await run(id, "web__sockets")) as { busy: number; counts: Record<string, number> };
  return { id, port, child, busy };
}

function openSockets(): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;
}

test("a server over HTTP that was restarted is called in a new session", async () => {
  await start();
  const port = await freePort();
  let server = await startEverythingServer("streamableHttp", port);
  onTestFinished(() => void server.kill("SIGKILL"));
  const { id } = await connectedAs(at(port));
  expect(await run(id, "web__echo", { message: "one" })).toBe("Echo: one");
  const ended = once(server, "exit");
  server.kill("SIGKILL");
  await ended;
  server = await startEverythingServer("streamableHttp", port);
  // If the replica noticed the server's end meanwhile, the next attempt to connect comes after a pause.
  await expect.poll(() => run(id, "web__echo", { message: "two" }).catch(String), patience).toMatch(/Echo: two$/);
});

test.each(["hang", "hang_stream"])(
  "calls that %s end when their time is up and keep no connection, and their neighbours are answered",
  async (name) => {
    const { id, busy } = await hostileServer();
    const before = openSockets();
    const hanging = Array.from({ length: 20 }, () => run(id, `web__${name}`, {}, { signal: AbortSignal.timeout(800) }));
    const ended = Promise.allSettled(hanging);
    expect(await run(id, "web__echo", { a: 1 })).toBe('{"a":1}');
    expect((await ended).every(({ status }) => status === "rejected")).toBe(true);
    await expect.poll(async () => (await busy()).busy, patience).toBe(0);
    await expect.poll(openSockets, patience).toBeLessThanOrEqual(before + 1);
  },
);

test("answers of fifty megabytes and answers that are none fail with a sentence, and the next call is answered", async () => {
  const { id, busy } = await hostileServer();
  expect(await refusalOf(run(id, "web__huge"))).toContain("larger than 16 MiB");
  expect(await refusalOf(run(id, "web__garbage"))).toMatch(
    /^web's answer is not of the MCP protocol: it is not JSON\. .+check before you send it again\.$/s,
  );
  expect(await run(id, "web__echo", { a: 1 })).toBe('{"a":1}');
  expect((await busy()).counts).toMatchObject({ huge: 1, garbage: 1 });
});

test.each([
  [false, "it is no JSON-RPC message."],
  [true, "its result is a text and no object."],
])("an answer that is not of the protocol ends its call at once, also on a stream that stays open: %s", async (isStream, why) => {
  const { id } = await hostileServer();
  const startedAt = performance.now();
  const message = { jsonrpc: "2.0", result: "done" };
  expect(await refusalOf(run(id, "web__answer_with", { message, isStream }))).toContain(`web's answer is not of the MCP protocol: ${why} `);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await run(id, "web__echo", { a: 1 })).toBe('{"a":1}');
});

const answer =
  '{"jsonrpc":"2.0","id":$ID,"method":null,"result":{"content":[{"type":"text","text":"done"}],"isError":null,"_meta":null},"error":null}';
const padded = answer.replace("done", "x".repeat(100_000));

test.each([false, true])("batches and members that are null are read, also on a stream: %s", async (isStream) => {
  const { id } = await hostileServer();
  const notice = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":null}}';
  for (const body of [answer, `[${notice},${answer}]`]) expect(await run(id, "web__answer_with", { body, isStream })).toBe("done");
  expect(await run(id, "web__answer_with", { body: padded, isStream })).toMatch(/x{1000}/);
  const object = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  const deep = `{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"structuredContent":${object}}}`;
  expect(await refusalOf(run(id, "web__answer_with", { body: deep, isStream }))).toMatch(
    /^web's answer is not of the MCP protocol: it is nested more than 500 levels deep\. /,
  );
});

test("a flood of progress becomes a few lines, and neighbours are answered while it lasts", async () => {
  const { id } = await hostileServer();
  const lines: string[] = [];
  const startedAt = performance.now();
  const flood = run(id, "web__flood", {}, { progress: (line) => lines.push(line) });
  expect(await run(id, "web__echo", { a: 1 })).toBe('{"a":1}');
  expect(await flood).toBe("done");
  expect(lines[0]).toBe("1 of 15000");
  expect(lines.length).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 2);
});

test("a broken connection and a busy gateway are tried again for calls that only read, and for no others", async () => {
  const { id, busy } = await hostileServer();
  expect(await run(id, "web__cut_read")).toBe("third time lucky");
  expect(await run(id, "web__half_read")).toBe("whole");
  expect(await refusalOf(run(id, "web__busy_read"))).toContain("HTTP status 503. The call failed 4 times in a row.");
  expect(await refusalOf(run(id, "web__cut_write"))).toContain(
    "The server closed the connection. Whether the call had an effect is not known",
  );
  expect(await refusalOf(run(id, "web__busy_write"))).toContain("HTTP status 503. Whether the call had an effect is not known");
  expect((await busy()).counts).toMatchObject({ cut_read: 3, half_read: 2, busy_read: 4, cut_write: 1, busy_write: 1 });
});

test("a server that dies during a call fails that call, is found again, and no socket stays behind", async () => {
  const before = openSockets();
  const { id, port } = await hostileServer();
  expect(await refusalOf(run(id, "web__die"))).toContain("web did not answer the call. The server closed the connection.");
  await startHostile(port);
  await expect.poll(() => run(id, "web__echo", { a: 1 }).catch(String), patience).toBe('{"a":1}');
  await stop();
  await expect.poll(openSockets, patience).toBeLessThanOrEqual(before + 2);
});
