import type { LookupAddress } from "node:dns";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { guardedHttp, hasNetwork } from "./guarded-http";
import type { HttpRequest } from "./http";

const local = guardedHttp({ allowPrivateAddresses: true });
type Get = HttpRequest & { maxBytes: number };
const get = (extra: Partial<Get> = {}): Get => ({
  method: "GET",
  signal: new AbortController().signal,
  maxBytes: 100_000,
  ...extra,
});
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const code = (code: string) => expect.objectContaining({ code });

/** Starts a server on the loopback address; `connections` returns the number of connections so far. */
async function serve(listener: RequestListener): Promise<{ url: string; port: number; server: Server; connections: () => number }> {
  let connections = 0;
  const server = createServer(listener);
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server, connections: () => connections };
}

/** Returns a resolver that gives the answers in order, and repeats the last answer. */
function resolving(...answers: string[][]): LookupFunction {
  let asked = 0;
  return (_hostname, _options, callback) => {
    const addresses: LookupAddress[] = (answers[Math.min(asked, answers.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    }));
    asked += 1;
    callback(null, addresses);
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

test("a machine without an interface beyond itself has no network, so the spelling of a name is not the reason", () => {
  const at = (address: string, internal = false) => ({ address, internal, family: "IPv4" as const, netmask: "", mac: "", cidr: null });
  expect(hasNetwork({ lo: [at("127.0.0.1", true)] })).toBe(false);
  expect(hasNetwork({ lo: [at("127.0.0.1", true)], eth0: [{ ...at("fe80::1"), family: "IPv6" as const, scopeid: 1 }] })).toBe(false);
  expect(hasNetwork({ lo: [at("127.0.0.1", true)], eth0: [at("10.0.0.2")] })).toBe(true);
});

describe("a request", () => {
  test("is sent as asked, and its answer comes back whole", async () => {
    const seen: unknown[] = [];
    const { url } = await serve(async (request, response) => {
      seen.push([request.method, request.url, request.headers["x-kind"], await bodyOf(request)]);
      response.writeHead(201, { "content-type": "text/plain", "x-twice": ["a", "b"] }).end("created");
    });
    const { bytes, ...answer } = await local.fetch(`${url}/a?b=c`, get({ method: "POST", headers: { "X-Kind": "test" }, body: "héllo" }));
    expect(seen).toEqual([["POST", "/a?b=c", "test", "héllo"]]);
    expect(text(bytes)).toBe("created");
    expect(answer).toMatchObject({ url: `${url}/a?b=c`, status: 201, truncated: false });
    expect(answer.headers).toMatchObject({ "content-type": "text/plain", "x-twice": "a, b" });
  });

  test("tells the other side nothing about us", async () => {
    const seen: IncomingMessage["headers"][] = [];
    const { url } = await serve((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    await local.fetch(url, get());
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/x",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "not a url",
    "",
    "//example.com",
    "http://",
  ])("for %s is refused: it is no http address", async (url) => {
    await expect(local.fetch(url, get())).rejects.toEqual(code("invalid"));
  });

  test("with a password in its address is refused", async () => {
    await expect(local.fetch("http://user:password@example.com/", get())).rejects.toEqual(code("invalid"));
  });

  test.each([
    "Authorization",
    "cookie",
    "Host",
    "Proxy-Authorization",
    "proxy-anything",
    "X-Forwarded-For",
    "x-real-ip",
    "Forwarded",
    "X-API-Key",
    "apikey",
    "api_key",
    "x-goog-api-key",
    "X-Auth-Token",
    "x-amz-security-token",
    "Transfer-Encoding",
    "Content-Length",
    "Connection",
    "Upgrade",
  ])("with the header %s is refused", async (name) => {
    const { url, connections } = await serve((_request, response) => void response.end());
    await expect(local.fetch(url, get({ headers: { [name]: "x" } }))).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining(name),
    });
    expect(connections()).toBe(0);
  });

  test.each([
    ["a line break in a value", { "x-a": "b\r\nAuthorization: secret" }],
    ["a line break in a name", { "x-a: b\r\nAuthorization": "secret" }],
    ["a space in a name", { "author ization": "secret" }],
    ["characters beyond Latin-1", { "x-a": "日本" }],
  ])("with %s in its headers is refused", async (_what, headers) => {
    const { url, connections } = await serve((_request, response) => void response.end());
    await expect(local.fetch(url, get({ headers: headers as unknown as Record<string, string> }))).rejects.toEqual(code("invalid"));
    expect(connections()).toBe(0);
  });
});

describe("private addresses", () => {
  const guarded = guardedHttp({});

  test.each([
    ["as it is", (port: number) => `http://127.0.0.1:${port}/`],
    ["by name", (port: number) => `http://localhost:${port}/`],
    ["as one number", (port: number) => `http://2130706433:${port}/`],
    ["in hexadecimal", (port: number) => `http://0x7f.1:${port}/`],
    ["in octal", (port: number) => `http://0177.0.0.1:${port}/`],
    ["with parts left out", (port: number) => `http://127.1:${port}/`],
    ["as zero", (port: number) => `http://0:${port}/`],
    ["in full-width digits", (port: number) => `http://１２７.0.0.1:${port}/`],
    ["in IPv6", (port: number) => `http://[::1]:${port}/`],
    ["mapped into IPv6", (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ["through NAT64", (port: number) => `http://[64:ff9b::127.0.0.1]:${port}/`],
  ])("are not connected to when written %s", async (_how, urlOf) => {
    const { port, connections } = await serve((_request, response) => void response.end("inside"));
    await expect(guarded.fetch(urlOf(port), get({ signal: AbortSignal.timeout(5_000) }))).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("private or local"),
    });
    expect(connections()).toBe(0);
  });

  test("are refused over https too", async () => {
    await expect(guarded.fetch("https://127.0.0.1:1/", get())).rejects.toEqual(code("forbidden"));
    await expect(guarded.fetch("https://169.254.169.254/latest/meta-data/", get())).rejects.toEqual(code("forbidden"));
  });

  test("are not reached through a name that points to one", async () => {
    const { port, connections } = await serve((_request, response) => void response.end("inside"));
    const http = guardedHttp({ lookup: resolving(["127.0.0.1"]) });
    await expect(http.fetch(`http://intranet.example:${port}/`, get())).rejects.toEqual(code("forbidden"));
    expect(connections()).toBe(0);
  });

  test("are not reached through a name that points to a public one as well", async () => {
    const { port, connections } = await serve((_request, response) => void response.end("inside"));
    for (const answer of [
      ["192.0.2.1", "127.0.0.1"],
      ["93.184.215.14", "127.0.0.1"],
      ["93.184.215.14", "::1"],
      ["::ffff:127.0.0.1", "93.184.215.14"],
    ]) {
      const http = guardedHttp({ lookup: resolving(answer) });
      await expect(http.fetch(`http://mixed.example:${port}/`, get())).rejects.toEqual(code("forbidden"));
    }
    expect(connections()).toBe(0);
  });

  test("are not reached through a name that changes its mind between two looks", async () => {
    const { port, connections } = await serve((_request, response) => void response.end("inside"));
    // The first answer is public (and unreachable), every later answer is the loopback address.
    const http = guardedHttp({ lookup: resolving(["93.184.215.14"], ["127.0.0.1"]) });
    const url = `http://rebinding.example:${port}/`;
    await expect(http.fetch(url, get({ signal: AbortSignal.timeout(300) }))).rejects.toBeDefined();
    await expect(http.fetch(url, get())).rejects.toEqual(code("forbidden"));
    expect(connections()).toBe(0);
  });

  test("do not come with their number in the sentence: a model need not learn our network", async () => {
    const http = guardedHttp({ lookup: resolving(["10.11.12.13"]) });
    const failure = await http.fetch("http://intranet.example/", get()).catch((error) => error);
    expect(failure.message).toContain("intranet.example");
    expect(failure.message).not.toContain("10.11.12.13");
  });
});

describe("redirects", () => {
  test("are answered, not followed, unless asked for", async () => {
    const { url } = await serve((_request, response) => void response.writeHead(302, { location: "/next" }).end("moved"));
    const answer = await local.fetch(url, get());
    expect(answer).toMatchObject({ status: 302, headers: { location: "/next" } });
    expect(text(answer.bytes)).toBe("moved");
  });

  test("are followed three times on the same origin, and not a fourth", async () => {
    const { url } = await serve((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) response.end("arrived");
      else response.writeHead(302, { location: `/${step - 1}` }).end();
    });
    const answer = await local.fetch(`${url}/3`, get({ followRedirects: true }));
    expect(answer).toMatchObject({ url: `${url}/0`, status: 200 });
    await expect(local.fetch(`${url}/4`, get({ followRedirects: true }))).rejects.toMatchObject({
      message: expect.stringContaining("more than 3 times"),
    });
  });

  test("to another origin are answered, and nobody connects there", async () => {
    const inside = await serve((_request, response) => void response.end("inside"));
    for (const location of [
      inside.url,
      `http://localhost:${inside.port}/`,
      "http://169.254.169.254/latest/",
      "file:///etc/passwd",
      "//[::1]/",
    ]) {
      const { url } = await serve((_request, response) => void response.writeHead(307, { location }).end());
      expect(await local.fetch(url, get({ followRedirects: true }))).toMatchObject({ status: 307, headers: { location } });
    }
    expect(inside.connections()).toBe(0);
  });

  test("to the same origin with a password in it are refused", async () => {
    const { url, port } = await serve((_request, response) => {
      response.writeHead(302, { location: `http://user:password@127.0.0.1:${port}/` }).end();
    });
    await expect(local.fetch(url, get({ followRedirects: true }))).rejects.toEqual(code("invalid"));
  });

  test("of a POST become a GET or stay a POST, as the standard says", async () => {
    const seen: string[] = [];
    const { url } = await serve(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${await bodyOf(request)}`);
      if (request.url === "/done") response.end();
      else response.writeHead(Number(request.url?.slice(1)), { location: "/done" }).end();
    });
    for (const status of [301, 303, 307]) {
      await local.fetch(
        `${url}/${status}`,
        get({ method: "POST", body: "x", headers: { "content-type": "text/x" }, followRedirects: true }),
      );
    }
    expect(seen).toEqual(["POST /301 x", "GET /done ", "POST /303 x", "GET /done ", "POST /307 x", "POST /done x"]);
  });
});

describe("the body of an answer", () => {
  test("is cut at the limit, and the connection let go", async () => {
    let closed = false;
    const { url } = await serve((_request, response) => {
      response.on("close", () => {
        closed = true;
      });
      const more = () => {
        while (!closed && response.write("x".repeat(10_000)));
        if (!closed) response.once("drain", more);
      };
      more();
    });
    const { bytes, truncated } = await local.fetch(url, get({ maxBytes: 25_000 }));
    expect({ length: bytes.byteLength, truncated }).toEqual({ length: 25_000, truncated: true });
    await expect.poll(() => closed).toBe(true);
  });

  test("of exactly the limit is whole", async () => {
    const { url } = await serve((_request, response) => void response.end("x".repeat(1_000)));
    expect(await local.fetch(url, get({ maxBytes: 1_000 }))).toMatchObject({ truncated: false });
    expect(await local.fetch(url, get({ maxBytes: 999 }))).toMatchObject({ truncated: true });
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("packed as %s is unpacked", async (encoding, pack) => {
    const { url } = await serve((_request, response) => void response.writeHead(200, { "content-encoding": encoding }).end(pack("packed")));
    expect(text((await local.fetch(url, get())).bytes)).toBe("packed");
  });

  test("that is a decompression bomb is unpacked only up to the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const { url } = await serve((_request, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    const before = process.memoryUsage().rss;
    const { bytes, truncated } = await local.fetch(url, get({ maxBytes: 100_000 }));
    expect({ length: bytes.byteLength, truncated }).toEqual({ length: 100_000, truncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test.each([
    ["no gzip at all", "gzip", Buffer.from("this is not gzip")],
    ["cut off", "gzip", gzipSync("x".repeat(100_000)).subarray(0, 60)],
    ["packed twice", "gzip, gzip", gzipSync(gzipSync("x"))],
    ["packed in a way that we do not know", "compress", Buffer.from("x")],
  ])("that is %s is a failure with a sentence", async (_what, encoding, body) => {
    const { url } = await serve((_request, response) => void response.writeHead(200, { "content-encoding": encoding }).end(body));
    await expect(local.fetch(url, get())).rejects.toEqual(code("unavailable"));
  });

  test("can be read as it arrives", async () => {
    const { url } = await serve((_request, response) => {
      response.write("one ");
      setImmediate(() => response.end("two"));
    });
    const { body, status } = await local.open(url, get());
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect({ status, text: text(Buffer.concat(chunks)) }).toEqual({ status: 200, text: "one two" });
  });
});

test("an answer whose body nobody reads may break off without harm", async () => {
  let closed = 0;
  const { url } = await serve((request, response) => {
    response.on("close", () => {
      closed += 1;
    });
    response.write("begun");
    if (request.url === "/breaks") setImmediate(() => response.destroy());
  });
  const stop = new AbortController();
  await local.open(`${url}/breaks`, get());
  await local.open(`${url}/waits`, get({ signal: stop.signal }));
  stop.abort();
  // A stray error of a stream would fail the whole run.
  await expect.poll(() => closed).toBe(2);
});

describe("what goes wrong on the way", () => {
  test("is a sentence: nobody listens, no such name, a broken line, no HTTP", async () => {
    const { url, server } = await serve((request) => void request.socket.destroy());
    await expect(local.fetch(url, get())).rejects.toEqual(code("unavailable"));
    server.close();
    const gone = await serve(() => {});
    await new Promise((resolve) => gone.server.close(resolve));
    await expect(local.fetch(gone.url, get())).rejects.toEqual(code("unavailable"));
    const unknown = guardedHttp({
      lookup: (_hostname, _options, callback) => callback(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }), []),
    });
    await expect(unknown.fetch("http://nowhere.example/", get())).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("nowhere.example"),
    });
    const chatter = createTcpServer((socket) => void socket.end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => chatter.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void chatter.close());
    await expect(local.fetch(`http://127.0.0.1:${(chatter.address() as AddressInfo).port}/`, get())).rejects.toEqual(code("unavailable"));
  });

  test("an answer that never begins, or never ends, is given up when the caller says so", async () => {
    const silent = await serve(() => {});
    const slow = await serve((_request, response) => void response.write("begun"));
    for (const { url } of [silent, slow]) {
      await expect(local.fetch(url, get({ signal: AbortSignal.timeout(200) }))).rejects.toMatchObject({ name: "TimeoutError" });
    }
    const cancelled = AbortSignal.abort(new Error("cancelled before"));
    await expect(local.fetch(silent.url, get({ signal: cancelled }))).rejects.toThrow("cancelled before");
  });
});

test("a private host that an admin listed with its port is reached there, and nowhere else", async () => {
  const { port } = await serve((_request, response) => response.end("inside"));
  const http = guardedHttp({ privateHosts: [`127.0.0.1:${port}`] });
  expect(text((await http.fetch(`http://127.0.0.1:${port}/`, get())).bytes)).toBe("inside");
  await expect(http.fetch(`http://localhost:${port}/`, get())).rejects.toEqual(code("forbidden"));
  await expect(http.fetch(`http://127.0.0.1:${port + 1}/`, get())).rejects.toEqual(code("forbidden"));
  const named = guardedHttp({ privateHosts: [`tools.example:${port}`, "metadata.example:80"], lookup: resolving(["127.0.0.1"]) });
  expect(text((await named.fetch(`http://tools.example:${port}/`, get())).bytes)).toBe("inside");
  const metadata = guardedHttp({ privateHosts: ["metadata.example:80"], lookup: resolving(["169.254.169.254"]) });
  await expect(metadata.fetch("http://metadata.example/", get())).rejects.toEqual(code("forbidden"));
});
