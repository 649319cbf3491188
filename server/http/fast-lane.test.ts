import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endpoint } from "@/contracts/endpoint";
import { fastLane } from "./fast-lane";
import { route } from "./route";
import { TextResponse } from "./text-response";

const echo = endpoint({
  method: "POST",
  path: "/echo/{id}",
  summary: "Answers what it is given",
  permission: null,
  params: z.object({ id: z.string() }),
  query: z.strictObject({ a: z.string().optional() }),
  body: z.unknown(),
  maxBodyBytes: 1_000,
  response: z.unknown(),
});

/** Resolved by the routes below; the tests wait for them. */
const left = Promise.withResolvers<void>();
const cancelled = Promise.withResolvers<number>();
let pulled = 0;

const long = JSON.stringify(Array.from({ length: 200 }, (_, place) => `line ${place} \u00fc`));

const isAnswered = fastLane({
  "/echo/{id}": {
    POST: route(echo, async ({ params, query, body, request }) => ({ params, query, body, agent: request.headers.get("x-agent") })),
    GET: () => new Response("text", { headers: { "x-kind": "plain" } }),
  },
  "/long": { GET: () => new TextResponse(long, { status: 200, headers: { "content-type": "application/json" } }) },
  "/wait": {
    GET: (request) =>
      new Promise((resolve) => {
        request.signal.addEventListener("abort", () => {
          left.resolve();
          resolve(new Response(null, { status: 204 }));
        });
      }),
  },
  "/endless": {
    GET: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(new Uint8Array(65_536));
          },
          cancel: () => cancelled.resolve(pulled),
        }),
      ),
  },
  "/quiet": {
    GET: () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
        }),
        { headers: { "content-type": "text/event-stream" } },
      ),
  },
  "/broken": {
    GET: () => {
      throw new Error("a secret");
    },
  },
  "/breaks": {
    GET: () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
          pull: (controller) => controller.error(new Error("a secret")),
        }),
      ),
  },
});

const server = createServer((request, response) => {
  if (!isAnswered(request, response)) response.writeHead(404).end("somebody else's");
});
let port = 0;
let base = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  base = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes on one connection and returns the complete answer until the connection closes. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Builds the head of a request; the last request of a connection carries `connection: close`. */
const head = (line: string, { isLast = true, headers = [] }: { isLast?: boolean; headers?: string[] } = {}) =>
  [`${line} HTTP/1.1`, "Host: x", ...headers, ...(isLast ? ["Connection: close"] : []), "", ""].join("\r\n");

test.each(["br", "gzip"])("a long answer is sent as %s to who takes it, and whole to others", async (encoding) => {
  const compressed = await fetch(`${base}/long`, { headers: { "accept-encoding": encoding } });
  expect(compressed.headers.get("content-encoding")).toBe(encoding);
  expect(compressed.headers.get("vary")).toBe("accept-encoding");
  expect(Number(compressed.headers.get("content-length"))).toBeLessThan(long.length / 2);
  expect(await compressed.text()).toBe(long);
  const whole = await fetch(`${base}/long`, { headers: { "accept-encoding": "identity" } });
  expect(whole.headers.get("content-encoding")).toBeNull();
  expect(await whole.text()).toBe(long);
});

test("a route gets its parameters, query, headers and body, and its answer comes with a length", async () => {
  const response = await fetch(`${base}/echo/one?a=b`, { method: "POST", body: '{"text":"\u00fc"}', headers: { "x-agent": "me" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("content-length")).toBe(String((await response.clone().bytes()).byteLength));
  expect(await response.json()).toEqual({ params: { id: "one" }, query: { a: "b" }, body: { text: "\u00fc" }, agent: "me" });
});

test("HEAD is GET without a body, and what no route answers is left to others", async () => {
  const answer = await fetch(`${base}/echo/one`, { method: "HEAD" });
  expect(answer.headers.get("x-kind")).toBe("plain");
  expect(await answer.text()).toBe("");
  for (const [method, path] of [
    ["OPTIONS", "/echo/one"],
    ["PUT", "/echo/one"],
    ["GET", "/echo/%6fne"],
    ["GET", "/nothing"],
  ]) {
    expect((await fetch(`${base}${path}`, { method })).status, `${method} ${path}`).toBe(404);
  }
});

test("a body in pieces is read like a whole one, and refused as soon as it is too large", async () => {
  const inPieces = (body: string) => raw(`${head("POST /echo/one", { headers: ["Transfer-Encoding: chunked"] })}${body}`);
  expect(await inPieces('5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n')).toContain('"body":{"a":1}');
  // 1,001 bytes without an end: the answer comes although the client is still sending.
  const answer = await inPieces(`3e9\r\n${" ".repeat(1_001)}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"code":"too_large"');
});

test("a body that says that it is too large is refused before it is read, and its sender is cut off soon after", async () => {
  const answer = await raw(`${head("POST /echo/one", { headers: ["Content-Length: 1001"], isLast: false })}{`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain("larger than 1,000 bytes");
});

test("the server takes little more of a refused body than it has read", async () => {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write(head("POST /echo/one", { headers: ["Transfer-Encoding: chunked"], isLast: false }));
  const piece = Buffer.from(`10000\r\n${" ".repeat(65_536)}\r\n`);
  // Not Node's `once`, which rejects when the connection is reset.
  const heard = (event: string) => new Promise((resolve) => socket.once(event, resolve));
  const closed = heard("close");
  const [answer] = await Promise.all([heard("data"), send()]);
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  await closed;
  expect(socket.bytesWritten - socket.writableLength).toBeLessThan(64 * 1_048_576);

  async function send(): Promise<void> {
    for (let count = 0; count < 1_024 && !socket.destroyed; count++) {
      if (!socket.write(piece)) await Promise.race([heard("drain"), closed]);
    }
  }
});

test("after a refused body that was sent whole, the connection goes on", async () => {
  const large = `${head("POST /echo/one", { headers: ["Content-Length: 2000"], isLast: false })}${" ".repeat(2_000)}`;
  const answers = await raw(`${large}${head("GET /echo/one", { isLast: false })}${head("GET /wrong")}`);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["413", "200", "404"]);
});

test("a sender who waits for permission gets it, and pipelined requests are answered in order", async () => {
  const permitted = await raw(`${head("POST /echo/one", { headers: ["Expect: 100-continue", "Content-Length: 2"] })}{}`);
  expect(permitted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  const one = (id: string, isLast: boolean) => `${head(`POST /echo/${id}`, { headers: ["Content-Length: 2"], isLast })}{}`;
  const answers = await raw(`${one("a", false)}${one("b", false)}${one("c", true)}`);
  expect([...answers.matchAll(/"id":"(\w)"/g)].map(([, id]) => id)).toEqual(["a", "b", "c"]);
});

test.each([
  ["an empty body", "", 400, "The body is empty"],
  ["broken JSON", "{", 400, "not valid JSON"],
  ["broken UTF-8", Buffer.from([0x22, 0xff, 0x22]), 400, "not valid UTF-8"],
  ["a body nested too deeply", `${"[".repeat(200)}${"]".repeat(200)}`, 422, "nested deeper"],
])("%s is refused with a sentence", async (_what, body, status, sentence) => {
  const response = await fetch(`${base}/echo/one`, { method: "POST", body });
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(sentence);
});

test("whatever host a client claims, a route is found", async () => {
  for (const host of ["evil.example:99999", "[::1", "a b", "%00"]) {
    const asked = head("POST /echo/one", { headers: ["Content-Length: 2"] }).replace("Host: x", `Host: ${host}`);
    expect(await raw(`${asked}{}`)).toMatch(/^HTTP\/1\.1 200/);
  }
});

test("a client that leaves ends what was waiting for it", async () => {
  const leaving = new AbortController();
  const asked = fetch(`${base}/wait`, { signal: leaving.signal }).catch(() => {});
  await once(server, "request");
  leaving.abort();
  await asked;
  await left.promise;
});

test("a stream is not read faster than its client reads, and is cancelled when the client leaves", async () => {
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.pause();
  await once(server, "request");
  for (let before = -1; pulled === 0 || pulled !== before; ) {
    before = pulled;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  socket.destroy();
  await cancelled.promise;
});

test("the first event of a quiet stream arrives at once, and it ends with its client", async () => {
  const response = await fetch(`${base}/quiet`);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
  await reader?.cancel();
});

test("a route that fails answers 500 without a word of why, and a stream that breaks is cut off", async () => {
  const broken = await fetch(`${base}/broken`);
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("secret");
  const breaks = await fetch(`${base}/breaks`);
  await expect(breaks.text()).rejects.toThrow();
});
