import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createTcpServer, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { seal } from "@/server/platform/crypto";
import { routeOf } from "../../package-registries/registry-routes";
import { registryFault } from "./forward-to-registry";
import { hostProxy, type ProxyEvent } from "./host-proxy";

const token = "t0ken-of-the-admin";
beforeAll(() => vi.stubEnv("HANDRAIL_SECRET_KEY", "a key of tests, of at least 32 characters"));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a registry that asks for a token and repeats it, and a proxy whose grant leads to it. */
async function registry({ secret = token, hosts = ["registry.npmjs.org"] }: { secret?: string; hosts?: readonly string[] } = {}) {
  const seen: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    if (request.url === "/slow") return;
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    response.writeHead(isKnown ? 200 : 401, { "x-repeated": String(request.headers.authorization), location: `${origin}/elsewhere` });
    response.end(`repeated ${request.headers.authorization}`);
  });
  server.listen(0, "127.0.0.1");
  const listener = createTcpServer().listen(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(listener, "listening")]);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = hostProxy(listener);
  closing.push(proxy.close, () => server.close());
  const profile = { name: "npm", kind: "bearer", origin, parameter: null, username: null, secretSealed: seal(secret) } as const;
  const events: ProxyEvent[] = [];
  const route = routeOf("npm", { url: `${origin}/repository/npm/`, profile });
  const { credentials } = proxy.grant({ hosts, registries: [route], onConnection: (event) => events.push(event) });
  const ask = async (line: string, headers = "") => {
    const socket = new Socket().connect((listener.address() as AddressInfo).port, "127.0.0.1");
    const proof = `Proxy-Authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`;
    socket.write(`${line} HTTP/1.1\r\nHost: registry.npmjs.org\r\nConnection: close\r\n${proof}${headers}\r\n`);
    return text(socket);
  };
  /** Sends a request, and leaves once it has reached the registry. */
  const leave = async (address: string) => {
    const socket = new Socket().connect((listener.address() as AddressInfo).port, "127.0.0.1");
    const proof = `Proxy-Authorization: Basic ${Buffer.from(credentials).toString("base64")}`;
    socket.write(`GET ${address} HTTP/1.1\r\nHost: registry.npmjs.org\r\n${proof}\r\n\r\n`);
    const [request] = await once(server, "request");
    socket.destroy();
    await once(request.socket, "close");
  };
  return { ask, leave, seen, events, origin, route };
}

test("a request for the public registry reaches the admin's one with its credential, which the program never sees", async () => {
  const { ask, seen, route } = await registry();
  expect(route.environment.npm_config_registry).toBe("http://registry.npmjs.org/repository/npm/");
  const own = "Authorization: Bearer of-the-program\r\nAccept-Encoding: gzip\r\n";
  const answer = await ask("GET http://registry.npmjs.org/repository/npm/left-pad?write=true", own);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(seen).toMatchObject([
    {
      method: "GET",
      url: "/repository/npm/left-pad?write=true",
      headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
    },
  ]);
  expect(answer).not.toContain(token);
  expect(answer).toContain("repeated Bearer *");
  expect(answer).toContain("http://registry.npmjs.org/elsewhere");
});

test.each(["PUT", "DELETE", "POST"])("%s never gets the admin's credential", async (method) => {
  const { ask, seen } = await registry();
  const answer = await ask(`${method} http://registry.npmjs.org/left-pad`);
  expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*for reading packages, not for publishing/);
  expect(seen).toEqual([]);
});

test("the audit of npm, which only reads, is passed on", async () => {
  const { ask, seen } = await registry();
  await ask("POST http://registry.npmjs.org/-/npm/v1/security/advisories/bulk", "Content-Length: 0\r\n");
  expect(seen).toMatchObject([{ method: "POST", headers: { authorization: `Bearer ${token}` } }]);
});

test("a registry that refuses its credential is told with the setting to look at", async () => {
  const { ask, events, origin } = await registry({ secret: "another" });
  expect(await ask("GET http://registry.npmjs.org/left-pad")).toMatch(/^HTTP\/1\.1 401 /);
  expect(events).toMatchObject([
    {
      outcome: "refused",
      reason: `${origin}, which an admin set in place of registry.npmjs.org, answered 401. It has the auth profile "npm": ask an admin to look at Settings, Package registries.`,
    },
  ]);
});

test("without a grant of the public host nothing is forwarded", async () => {
  const { ask, seen } = await registry({ hosts: ["example.com"] });
  expect(await ask("GET http://registry.npmjs.org/left-pad")).toMatch(/^HTTP\/1\.1 403 /);
  expect(seen).toEqual([]);
});

test("a program that leaves before the answer has no failed connection", async () => {
  const { leave, ask, events } = await registry();
  await leave("http://registry.npmjs.org/slow");
  await ask("GET http://registry.npmjs.org/left-pad");
  expect(events).toEqual([]);
});

test("the metadata address of a cloud is no registry", () => {
  const route = routeOf("npm", { url: "http://169.254.169.254/latest/", profile: null });
  expect(registryFault("GET", { route, path: "/latest/" })).toContain("is an address of the machine's cloud");
});
