import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { freePort, startEverythingServer } from "@/server/testing/mcp/everything-server";
import { readAnswer } from "../content/read-answer";
import type { ServerSettings } from "../settings/server-settings";
import { openSession } from "./open-session";
import type { Session } from "./session";

process.env.HANDRAIL_LOG_LEVEL = "silent";

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const at = (url: string, rest: Partial<ServerSettings> = {}): ServerSettings => ({
  alias: "web",
  transport: "streamable_http",
  command: null,
  args: [],
  env: {},
  id: null,
  cwd: null,
  network: "none",
  allowedHosts: [],
  url,
  headers: {},
  connectTimeoutSeconds: 10,
  ...rest,
});

async function open(settings: ServerSettings): Promise<Session> {
  const opening = await openSession(settings, { signal: new AbortController().signal });
  if (!opening.ok) throw new Error(opening.error);
  cleanups.push(() => opening.session.close());
  return opening.session;
}

async function failureOf(settings: ServerSettings): Promise<string | null> {
  const opening = await openSession(settings, { signal: new AbortController().signal });
  if (opening.ok) cleanups.push(() => opening.session.close());
  return opening.ok ? null : opening.error;
}

const call = (session: Session, rawName: string, args = {}, progress: (message: string) => void = () => {}) =>
  session.callTool({
    rawName,
    args,
    inputSchema: { type: "object", properties: {} },
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    progress,
  });

async function startEverything(mode: "streamableHttp" | "sse", port: number): Promise<ChildProcess> {
  const child = await startEverythingServer(mode, port);
  cleanups.push(() => void child.kill("SIGKILL"));
  return child;
}

type Rpc = { id?: number; method: string; params?: { name?: string; protocolVersion?: string } };

/** Starts a small MCP server over HTTP; `answer` answers the tool calls. */
async function startServer(
  answer: (rpc: Rpc, request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const rpc = JSON.parse(Buffer.concat(chunks).toString()) as Rpc;
    const send = (result: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result }));
    if (rpc.id === undefined) return void response.writeHead(202).end();
    if (rpc.method === "initialize") {
      return void send({
        protocolVersion: rpc.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "tiny", version: "1" },
      });
    }
    if (rpc.method === "tools/list") return void send({ tools: [{ name: "go", inputSchema: { type: "object" } }] });
    if (rpc.method === "tools/call") return void answer(rpc, request, response);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, error: { code: -32601, message: "Method not found" } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}

test("the real everything server answers over streamable HTTP, with progress", async () => {
  const port = await freePort();
  await startEverything("streamableHttp", port);
  const session = await open(at(`http://127.0.0.1:${port}/mcp`));
  expect(session.tools.map(({ name }) => name)).toContain("echo");
  expect((await call(session, "echo", { message: "hi" })).content).toEqual([{ type: "text", text: "Echo: hi" }]);
  expect(readAnswer(await call(session, "get-tiny-image"))).toMatchObject({ files: [{ mediaType: "image/png" }] });
  const progress = vi.fn();
  await call(session, "trigger-long-running-operation", { duration: 1, steps: 2 }, progress);
  expect(progress).toHaveBeenCalledWith("1 of 2", { progress: 1, total: 2 });
});

test("the real everything server answers over the older event stream transport", async () => {
  const port = await freePort();
  await startEverything("sse", port);
  const session = await open(at(`http://127.0.0.1:${port}/sse`, { transport: "sse" }));
  expect((await call(session, "echo", { message: "hi" })).content).toEqual([{ type: "text", text: "Echo: hi" }]);
});

test.each(["streamableHttp", "sse"] as const)("a server that is killed is noticed over %s", async (mode) => {
  const port = await freePort();
  const child = await startEverything(mode, port);
  const settings = mode === "sse" ? at(`http://127.0.0.1:${port}/sse`, { transport: "sse" }) : at(`http://127.0.0.1:${port}/mcp`);
  const session = await open(settings);
  const lost = new Promise<string>((resolve) => session.onLost(resolve));
  child.kill("SIGKILL");
  await once(child, "exit");
  await session.check();
  expect(await lost).toMatch(/Nothing listens|event stream|closed the connection/);
});

test("headers go along with every request", async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await startServer((rpc, request, response) => {
    seen.push(request.headers.authorization);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result: { content: [] } }));
  });
  process.env.MCP_TEST_TOKEN = "t0ps3cret";
  const session = await open(at(url, { headers: { Authorization: "Bearer $env:MCP_TEST_TOKEN" } }));
  expect(readAnswer(await call(session, "go"))).toBe("(tool returned no content)");
  expect(seen).toEqual(["Bearer t0ps3cret"]);
});

test("an answer that is too large ends its call and not the session", async () => {
  let size = 20 * 1024 * 1024;
  const { url } = await startServer((rpc, _request, response) => {
    const result = { content: [{ type: "text", text: "x".repeat(size) }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result }));
  });
  const session = await open(at(url));
  await expect(call(session, "go")).rejects.toThrow("larger than 16 MiB");
  size = 3;
  expect(readAnswer(await call(session, "go"))).toBe("xxx");
});

test("an event that is too large ends its call", async () => {
  const { url } = await startServer((rpc, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const result = { content: [{ type: "text", text: "x".repeat(20 * 1024 * 1024) }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result })}\n\n`);
  });
  await expect(call(await open(at(url)), "go")).rejects.toThrow("larger than 16 MiB");
});

test("an event stream that ends without the answer ends its call at once", async () => {
  const { url } = await startServer((_rpc, _request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n`);
  });
  await expect(call(await open(at(url)), "go")).rejects.toThrow("ended before the answer was there");
});

test.each([
  [401, "wants other credentials"],
  [403, "refuses these credentials"],
  [404, "no MCP server at this address"],
  [500, "HTTP status 500"],
])("an answer with the status %i is explained", async (status, sentence) => {
  const server = createServer((_request, response) => void response.writeHead(status).end("no")).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    server.close();
  });
  expect(await failureOf(at(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))).toContain(sentence);
});

test("a redirect to another origin is not followed, so no answer chooses where our headers go", async () => {
  const reached = vi.fn();
  const other = createServer((_request, response) => {
    reached();
    response.end();
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `http://localhost:${(other.address() as AddressInfo).port}/mcp` }).end();
  }).listen(0, "127.0.0.1");
  await once(redirecting, "listening");
  cleanups.push(
    () => void other.close(),
    () => void redirecting.close(),
  );
  expect(await failureOf(at(`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/mcp`))).not.toBeNull();
  expect(reached).not.toHaveBeenCalled();
});
