import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Server, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type HostProxy, hostProxy, type ProxyEvent, type ProxyGrant, type ProxyLimits } from "./host-proxy";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server that records its requests. */
async function upstream() {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body: await text(request) });
    response.writeHead(
      201,
      [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["Keep-Alive", "timeout=9"],
        ["X-Own", "1"],
        ["Connection", "X-Own"],
      ].flat(),
    );
    response.end("answered");
  });
  const port = await listening(server);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, seen };
}

/** Starts a proxy whose resolver the test defines. */
async function proxyWith(
  grant: ProxyGrant,
  { names = {}, limits }: { names?: Record<string, string[]>; limits?: Partial<ProxyLimits> } = {},
) {
  const listener = createTcpServer();
  const port = await listening(listener);
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const addresses = (names[hostname] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (addresses.length > 0) callback(null, addresses);
    else callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" }), []);
  };
  const proxy: HostProxy = hostProxy(listener, { lookup, limits });
  closing.push(proxy.close);
  const events: ProxyEvent[] = [];
  const { credentials, close } = proxy.grant({ ...grant, onConnection: (event) => events.push(event) });
  const authorization = `Proxy-Authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`;
  /** Sends bytes and returns everything received until the connection ends. */
  const send = async (bytes: string) => {
    const socket = new Socket().connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(bytes.replace("AUTH\r\n", authorization));
    return text(socket).catch(() => "");
  };
  return { send, events, close, proxy };
}

const connectTo = (place: string) => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\nAUTH\r\n\r\n`;
const getFrom = (url: string, headers = "") => `GET ${url} HTTP/1.1\r\nHost: whatever.test\r\nConnection: close\r\nAUTH\r\n${headers}\r\n`;
const statusOf = (answer: string) => answer.slice(0, 12);

describe("Hosts", () => {
  test("A host that is not granted is refused with a sentence that says how to ask, also for plain http", async () => {
    const { send, events } = await proxyWith({ hosts: ["example.com"] });
    const sentence = "evil.test:443 is not among the hosts of this call. Name it in `hosts` to ask for it.";

    const answer = await send(connectTo("evil.test:443"));
    expect(statusOf(answer)).toBe("HTTP/1.1 403");
    expect(answer).toContain(`\r\n\r\n${sentence}\n`);
    expect(events).toEqual([{ host: "evil.test", port: 443, outcome: "refused", reason: sentence }]);
    expect(await send(getFrom("http://evil.test/a"))).toContain("evil.test:80 is not among the hosts of this call.");
  });

  test("A granted name that means a private address is refused, whatever else it means", async () => {
    const names = { "example.com": ["93.184.215.14", "10.0.0.1"], "local.example.com": ["::1"] };
    const { send, events } = await proxyWith({ hosts: ["example.com", "*.example.com"] }, { names });

    for (const [place, host] of [
      ["example.com:443", "example.com"],
      ["local.example.com:443", "local.example.com"],
    ]) {
      expect(await send(connectTo(place ?? ""))).toContain(
        `${host} is a private or local address. An admin must list exactly ${place} before it can be reached.`,
      );
    }
    expect(await send(getFrom("http://example.com/"))).toContain("example.com is a private or local address.");
    expect(events.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
  });

  test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "2130706433", "168.63.129.16"])(
    "With every public host granted, %s is refused",
    async (host) => {
      const { send } = await proxyWith({ hosts: "any" });

      expect(statusOf(await send(connectTo(`${host}:80`)))).toBe("HTTP/1.1 403");
      expect(statusOf(await send(getFrom(`http://${host}/`)))).toBe("HTTP/1.1 403");
    },
  );

  test("A private address that an admin listed is reached on exactly that port", async () => {
    const { port } = await upstream();
    const { send } = await proxyWith({ hosts: "any", privateHosts: [`127.0.0.1:${port}`] });

    expect(statusOf(await send(getFrom(`http://127.0.0.1:${port}/`)))).toBe("HTTP/1.1 201");
    expect(statusOf(await send(getFrom("http://127.0.0.1:81/")))).toBe("HTTP/1.1 403");
  });

  test("A listed private host is not reached by a call that was not granted it", async () => {
    const { port } = await upstream();
    const { send } = await proxyWith({ hosts: ["example.com"], privateHosts: [`127.0.0.1:${port}`] });

    expect(await send(getFrom(`http://127.0.0.1:${port}/`))).toContain("is not among the hosts of this call");
  });

  test("Not even a listed name reaches a metadata address", async () => {
    const names = { "meta.test": ["169.254.169.254"] };
    const { send } = await proxyWith({ hosts: ["meta.test"], privateHosts: ["meta.test:80"] }, { names });

    expect(statusOf(await send(getFrom("http://meta.test/latest")))).toBe("HTTP/1.1 403");
  });

  test("A name without an address is answered with 502 and reported", async () => {
    const { send, events } = await proxyWith({ hosts: ["gone.test"] });

    expect(await send(connectTo("gone.test:443"))).toContain("gone.test:443 could not be reached: getaddrinfo ENOTFOUND gone.test.");
    expect(events).toMatchObject([{ host: "gone.test", outcome: "failed" }]);
  });
});

describe("Requests over plain http", () => {
  const ours = async (extra: { limits?: Partial<ProxyLimits> } = {}) => {
    const server = await upstream();
    const names = { "app.test": ["127.0.0.1"] };
    const place = `app.test:${server.port}`;
    const proxied = await proxyWith({ hosts: [place], privateHosts: [place] }, { names, ...extra });
    return { ...server, ...proxied, place };
  };

  test("A request is built anew: headers of the connection and the client's Host stay behind", async () => {
    const { send, seen, place } = await ours();
    const headers = "Connection: X-Secret-Hop\r\nX-Secret-Hop: 1\r\nTE: trailers\r\nX-Kept: 1\r\nContent-Length: 4\r\n";

    await send(getFrom(`http://${place}/a?b=1`, headers).replace("GET", "POST").concat("body"));
    expect(seen).toMatchObject([{ method: "POST", url: "/a?b=1", body: "body", headers: { host: place, "x-kept": "1" } }]);
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(["connection", "content-length", "host", "x-kept"]);
  });

  test("The answer keeps its cookies and loses what belongs to the connection", async () => {
    const { send, place } = await ours();

    const answer = await send(getFrom(`http://${place}/`));
    expect(answer).toContain("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n");
    expect(answer).not.toMatch(/X-Own|timeout=9/);
    expect(answer).toContain("answered");
  });

  test.each([
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody"],
    ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["an unknown coding", "Transfer-Encoding: xchunked\r\n\r\nbody"],
    ["a folded header", "X-A: 1\r\n b: 2\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"],
    ["a header of 20,000 bytes", `X-Long: ${"x".repeat(20_000)}\r\n\r\n`],
  ])("A request with %s never reaches the server", async (_name, rest) => {
    const { send, seen, place } = await ours();

    await send(`POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nAUTH\r\n${rest}`);
    expect(seen).toEqual([]);
  });

  test("Chunks that hide a second request reach the server as one body", async () => {
    const { send, seen, place } = await ours();
    const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
    const body = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

    await send(
      `POST http://${place}/ HTTP/1.1\r\nHost: ${place}\r\nConnection: close\r\nAUTH\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    );
    expect(seen).toMatchObject([{ url: "/", body: hidden }]);
  });

  test.each(["/a", "https://app.test/", "ftp://app.test/", "http://user:pass@app.test/"])(
    "A request for %s is answered with 400",
    async (url) => {
      const { send, seen } = await ours();

      expect(statusOf(await send(getFrom(url)))).toBe("HTTP/1.1 400");
      expect(seen).toEqual([]);
    },
  );
});

describe("Bounds", () => {
  test.each(["nonsense", "app.test", "app.test:0", "app.test:99999", "a/b:80"])("CONNECT to %s is answered with 400", async (place) => {
    const { send } = await proxyWith({ hosts: "any" });

    expect(statusOf(await send(connectTo(place)))).toMatch(/HTTP\/1\.1 400|^$/);
  });

  test("A tunnel on which nothing moves ends by itself", async () => {
    const silent = createTcpServer((socket) => void socket.on("error", () => {}));
    const place = `127.0.0.1:${await listening(silent)}`;
    closing.push(() => silent.close());
    const { send, events } = await proxyWith({ hosts: [place], privateHosts: [place] }, { limits: { idle: 50 } });

    expect(statusOf(await send(connectTo(place)))).toBe("HTTP/1.1 200");
    expect(events).toMatchObject([{ outcome: "reached" }]);
  });

  test("A client that does not finish its headers is cut off", async () => {
    const { send } = await proxyWith({ hosts: "any" }, { limits: { head: 50 } });

    expect(await send("GET http://example.com/ HTTP/1.1\r\nX-Slow: ")).not.toContain("200");
  });

  test("The end of the call ends its tunnels", async () => {
    const echo = createTcpServer((socket) => void socket.on("error", () => {}));
    const place = `127.0.0.1:${await listening(echo)}`;
    closing.push(() => echo.close());
    const { send, close, proxy } = await proxyWith({ hosts: [place], privateHosts: [place] });
    const connected = once(echo, "connection");

    const tunnel = send(connectTo(place));
    await connected;
    close();
    expect(statusOf(await tunnel)).toMatch(/^(HTTP\/1.1 200|)$/);
    expect(proxy.grants()).toBe(0);
  });

  test("More connections than the limit are not answered", async () => {
    const held = createTcpServer((socket) => void socket.on("error", () => {}));
    const place = `127.0.0.1:${await listening(held)}`;
    closing.push(() => held.close());
    const { send, close } = await proxyWith({ hosts: [place], privateHosts: [place] }, { limits: { connections: 1 } });
    const connected = once(held, "connection");

    const first = send(connectTo(place));
    await connected;
    expect(await send(connectTo(place))).toBe("");
    close();
    await first;
  });
});
