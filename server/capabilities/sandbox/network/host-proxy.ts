import "server-only";
import { randomBytes } from "node:crypto";
import { type ClientRequest, createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import { connect, isIP, type LookupFunction, type Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { toErrorMessage } from "@/server/platform/errors";
import { guardedLookup } from "../../guarded-lookup";
import type { RegistryRoute } from "../../package-registries/registry-routes";
import { isLoopbackHost, isMetadataAddress, isPublicAddress } from "../../public-address";
import { forwardToRegistry, registryFault } from "./forward-to-registry";
import { canonicalHost, coversHost, type GrantedHost, parseGrantedHost } from "./granted-hosts";
import { endToEndHeaders, plainResponse } from "./proxy-messages";

/** The outcome of one connection that a program requested. */
export type ProxyEvent = { host: string; port: number; outcome: "reached" | "refused" | "failed"; reason: string | null };

/** The servers of one conversation in its sandbox, by port. */
export type OwnServers = { has: (port: number) => boolean; connect: (port: number) => Promise<Socket> };

export type ProxyGrant = {
  /** Entries such as `example.com`, `*.example.com`, `example.com:8443`; `any` means every public host. */
  hosts: readonly string[] | "any";
  /** `host:port` pairs that an admin listed. Their addresses may be private; `hosts` must still grant them. A function is asked at each connection. */
  privateHosts?: readonly string[] | (() => readonly string[]);
  /** The conversation's own servers, for loopback addresses that are not among `privateHosts`. */
  ownServers?: OwnServers;
  /** Registries of packages that take the place of public ones; `hosts` must still grant the public host. */
  registries?: readonly RegistryRoute[];
  /** A sentence that says how to request a refused host. */
  howToAsk?: string;
  /** False: also clients without credentials have the grant, because only the grant's program reaches the proxy. Default: true. */
  needsCredentials?: boolean;
  onConnection?: (event: ProxyEvent) => void;
};

export type HostProxy = {
  /** Grants these hosts to the bearer of the credentials, until `close`. */
  grant(grant: ProxyGrant): { credentials: string; recheck(): void; close(): void };
  /** Returns the number of open grants. */
  grants(): number;
  close(): void;
};

/** Timeouts in milliseconds, and the most connections; tests shorten them. */
export type ProxyLimits = { connect: number; head: number; idle: number; connections: number };
const usualLimits: ProxyLimits = { connect: 10_000, head: 10_000, idle: 300_000, connections: 256 };
const maxHeaderBytes = 16_384;

type Access = {
  covers: (host: string, port: number) => boolean;
  isPrivateAllowed: (host: string, port: number) => boolean;
  ownServers: OwnServers | null;
  registries: readonly RegistryRoute[];
  howToAsk: string;
  report: (event: ProxyEvent) => void;
  /** Every socket of the grant, with its target where only a listed private host allowed it. */
  open: Map<Duplex, Target | null>;
};
type Target = { host: string; port: number };
type Exchange = { url: URL; message: IncomingMessage; response: ServerResponse };
/** Limits and name resolution of the proxy's own connections. */
type Ways = { limits: ProxyLimits; lookup: LookupFunction | undefined };

/** The reason for refusing a connection; its message becomes the response body. */
class Refusal extends Error {}

/**
 * Runs an HTTP proxy on a listening socket. Clients prove their grant with the credentials in the proxy's address. The
 * proxy connects only to hosts of the grant and only to public addresses; it checks the very address that it connects to.
 */
export function hostProxy(listening: Server, options: { lookup?: LookupFunction; limits?: Partial<ProxyLimits> } = {}): HostProxy {
  const limits = { ...usualLimits, ...options.limits };
  const ways: Ways = { limits, lookup: options.lookup };
  const accesses = new Map<string, Access>();
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: limits.head,
    // No limit on the whole request, because a large upload may take long. The socket's idle timeout ends a silent client.
    requestTimeout: 0,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: Math.min(limits.head, 5_000),
  });
  server.maxConnections = limits.connections;
  server.on("connection", (socket: Socket) => {
    socket.setTimeout(limits.idle, () => socket.destroy());
    socket.on("error", () => {});
  });

  server.on("connect", (message: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => {});
    const access = accessOf(accesses, message);
    if (!access) return void client.end(unauthorised);
    const target = parseAuthority(message.url ?? "");
    if (!target) return void client.end(plainResponse(400, `${JSON.stringify(message.url)} is not a host and port.`));
    openTunnel(access, target, { client, head }, ways);
  });

  server.on("request", (message: IncomingMessage, response: ServerResponse) => {
    const access = accessOf(accesses, message);
    if (!access) return void answer(response, 407, askForCredentials);
    const url = URL.parse(message.url ?? "");
    if (url?.protocol !== "http:" || url.username || url.password) {
      return void answer(response, 400, "This proxy takes http:// addresses without a user name, and CONNECT for https.");
    }
    const target = { host: canonicalHost(url.hostname) ?? "", port: Number(url.port || 80) };
    forward(access, target, { url, message, response }, ways);
  });

  server.on("clientError", (_error, socket) => void socket.destroy());
  server.listen(listening);
  server.unref();

  return {
    grant: (grant) => openGrant(accesses, grant),
    grants: () => accesses.size,
    close: () => {
      for (const { open } of accesses.values()) for (const socket of open.keys()) socket.destroy();
      accesses.clear();
      server.close();
      server.closeAllConnections();
    },
  };
}

function openGrant(accesses: Map<string, Access>, grant: ProxyGrant): ReturnType<HostProxy["grant"]> {
  const { hosts, privateHosts = [], ownServers = null, registries = [], howToAsk = "Name it in `hosts` to ask for it." } = grant;
  const credentials = (grant.needsCredentials ?? true) ? `handrail:${randomBytes(32).toString("hex")}` : noCredentials;
  const open: Access["open"] = new Map();
  const covers = hosts === "any" ? () => true : coveredBy(hosts);
  const listed = typeof privateHosts === "function" ? privateHosts : () => privateHosts;
  const isPrivateAllowed = (host: string, port: number) =>
    readable(listed()).some((entry) => place(entry.host, entry.port ?? 0) === place(host, port));
  const report = (event: ProxyEvent) => grant.onConnection?.(event);
  accesses.set(credentials, { covers, isPrivateAllowed, ownServers, registries, howToAsk, open, report });
  return {
    credentials,
    recheck: () => {
      for (const [socket, target] of open) if (target && !isPrivateAllowed(target.host, target.port)) socket.destroy();
    },
    close: () => {
      accesses.delete(credentials);
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function accessOf(accesses: ReadonlyMap<string, Access>, message: IncomingMessage): Access | null {
  const header = message.headers["proxy-authorization"];
  if (header === undefined) return accesses.get(noCredentials) ?? null;
  const [scheme, encoded = ""] = header.split(" ");
  if (scheme?.toLowerCase() !== "basic") return null;
  return accesses.get(Buffer.from(encoded, "base64").toString("utf8")) ?? null;
}

/** Answers CONNECT: joins the client with the target, byte by byte. */
function openTunnel(access: Access, target: Target, { client, head }: { client: Duplex; head: Buffer }, { limits, lookup }: Ways): void {
  keep(access, client, target);
  const fail = (error: unknown) => void client.end(plainResponse(...told(access, target, error)));
  try {
    check(access, target);
  } catch (error) {
    fail(error);
    return;
  }
  const join = (upstream: Socket): void => {
    access.report({ ...target, outcome: "reached", reason: null });
    upstream.off("error", fail).on("error", () => client.destroy());
    upstream.setTimeout(limits.idle, () => upstream.destroy());
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) upstream.write(head);
    client.pipe(upstream);
    upstream.pipe(client);
    upstream.once("close", () => client.destroy());
  };
  const own = ownServerOf(access, target);
  if (own) {
    own().then((upstream) => {
      keep(access, upstream, target);
      client.once("close", () => upstream.destroy());
      if (client.destroyed) upstream.destroy();
      else join(upstream);
    }, fail);
    return;
  }
  const upstream = connect({ ...connectionTo(access, target, lookup), allowHalfOpen: true });
  keep(access, upstream, target);
  const timer = setTimeout(() => upstream.destroy(new Error("no answer in time")), limits.connect);
  upstream.once("error", fail);
  upstream.once("close", () => clearTimeout(timer));
  client.once("close", () => upstream.destroy());
  upstream.once("connect", () => {
    clearTimeout(timer);
    join(upstream);
  });
}

/** Answers a request for an http address: with a registry of packages, or with the target itself. */
function forward(access: Access, target: Target, exchange: Exchange, ways: Ways): void {
  const { url, message, response } = exchange;
  const fail = (error: unknown) => {
    // The client has left, so nothing failed for it.
    if (response.destroyed) return;
    const [status, sentence] = told(access, target, error);
    if (response.headersSent) response.destroy();
    else answer(response, status, sentence);
  };
  const own = ownServerOf(access, target);
  let forwarded: ClientRequest;
  try {
    check(access, target);
    const route = target.port === 80 ? access.registries.find(({ host }) => host === target.host) : undefined;
    if (route) {
      const asked = { route, path: `${url.pathname}${url.search}` };
      const fault = registryFault(message.method ?? "", asked);
      if (fault !== null) throw new Refusal(fault);
      forwardToRegistry(asked, message, response, {
        fail,
        refused: (reason) => access.report({ ...target, outcome: "refused", reason }),
        keep: (socket) => keep(access, socket, target),
        lookup: ways.lookup,
        connectMs: ways.limits.connect,
        idleMs: ways.limits.idle,
      });
      return;
    }
    forwarded = request({
      ...(own ? { createConnection: connectionFrom(own) } : { ...connectionTo(access, target, ways.lookup), agent: false }),
      ...rebuilt(exchange),
    });
  } catch (error) {
    fail(error);
    return;
  }
  const reached = () => access.report({ ...target, outcome: "reached", reason: null });
  forwarded.once("socket", (socket) => keep(access, socket, target)).on("error", fail);
  relay(forwarded, exchange, ways.limits, { isConnected: own !== null, reached });
}

/** The request is rebuilt from its parsed form, so that the upstream server cannot parse the same bytes differently. */
function rebuilt({ url, message }: Exchange): RequestOptions {
  return {
    method: message.method,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: [...endToEndHeaders(message.rawHeaders), "Host", url.host, "Connection", "close"],
    maxHeaderSize: maxHeaderBytes,
  };
}

/** Passes the request's body on and the answer back; `isConnected`: the connector hands over sockets that are connected already. */
function relay(
  forwarded: ClientRequest,
  { message, response }: Exchange,
  limits: ProxyLimits,
  { isConnected, reached }: { isConnected: boolean; reached: () => void },
): void {
  const timer = setTimeout(() => forwarded.destroy(new Error("no answer in time")), limits.connect);
  const connected = () => {
    clearTimeout(timer);
    reached();
  };
  forwarded.once("socket", (socket) => {
    if (isConnected) connected();
    else socket.once("connect", connected);
  });
  forwarded.setTimeout(limits.idle, () => forwarded.destroy(new Error("no answer in time")));
  forwarded.once("close", () => clearTimeout(timer));
  forwarded.once("response", (upstream) => {
    upstream.once("error", () => response.destroy());
    response.writeHead(upstream.statusCode ?? 502, upstream.statusMessage, endToEndHeaders(upstream.rawHeaders));
    upstream.pipe(response);
  });
  response.once("close", () => forwarded.destroy());
  message.pipe(forwarded);
}

/** @throws Refusal for a host outside the grant, and for a private address. */
function check(access: Access, { host, port }: Target): void {
  if (ownServerOf(access, { host, port })) return;
  if (!access.covers(host, port)) throw new Refusal(`${place(host, port)} is not among the hosts of this call. ${access.howToAsk}`);
  if (isIP(host) && !mayConnect(access, { host, port })(host)) throw privateAddress({ host, port });
}

const connectionTo = (access: Access, target: Target, lookup: LookupFunction | undefined) => ({
  host: target.host,
  port: target.port,
  lookup: guardedLookup({ mayConnect: mayConnect(access, target), refuse: () => privateAddress(target), lookup }),
});

/** Ends the socket together with the grant, and when the listing that allowed its target is withdrawn. */
function keep(access: Access, socket: Duplex, target: Target): void {
  access.open.set(socket, access.isPrivateAllowed(target.host, target.port) ? target : null);
  socket.once("close", () => access.open.delete(socket));
}

/** Key of the grant for clients without credentials. */
const noCredentials = "";
const askForCredentials = "This proxy asks for the user name and password of its address: take the whole address from HTTP_PROXY.";
const unauthorised = plainResponse(407, askForCredentials);

function answer(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    connection: "close",
    ...(status === 407 ? { "proxy-authenticate": 'Basic realm="Handrail"' } : {}),
  });
  response.end(`${sentence}\n`);
}

/** Reports why a connection failed, and returns the status and sentence for the client. */
function told(access: Access, target: Target, error: unknown): [status: number, sentence: string] {
  const isRefusal = error instanceof Refusal;
  const reason = isRefusal ? error.message : `${place(target.host, target.port)} could not be reached: ${toErrorMessage(error)}.`;
  access.report({ ...target, outcome: isRefusal ? "refused" : "failed", reason });
  return [isRefusal ? 403 : 502, reason];
}

/**
 * Returns the way to one of the conversation's own servers; null for every other target. A private host that is listed
 * stays the machine's, because an admin or a person meant that one.
 */
function ownServerOf({ ownServers, isPrivateAllowed }: Access, { host, port }: Target): (() => Promise<Socket>) | null {
  if (!ownServers || !isLoopbackHost(host) || isPrivateAllowed(host, port) || !ownServers.has(port)) return null;
  return () => ownServers.connect(port);
}

/** Adapts a promised connection to Node's `createConnection`. */
function connectionFrom(connecting: () => Promise<Socket>): NonNullable<RequestOptions["createConnection"]> {
  return (_options, done) => {
    connecting().then(
      (socket) => done(null, socket),
      (error: Error) => done(error, new Socket()),
    );
    return undefined;
  };
}

function mayConnect(access: Access, { host, port }: Target): (address: string) => boolean {
  if (!access.isPrivateAllowed(host, port)) return isPublicAddress;
  return (address) => !isMetadataAddress(address);
}

function privateAddress({ host, port }: Target): Refusal {
  return new Refusal(`${host} is a private or local address. An admin must list exactly ${place(host, port)} before it can be reached.`);
}

function parseAuthority(text: string): Target | null {
  const [, name = "", portText = ""] = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):(\d{1,5})$/.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(portText);
  return host && port >= 1 && port <= 65_535 ? { host, port } : null;
}

const coveredBy = (hosts: readonly string[]) => {
  const granted = readable(hosts);
  return (host: string, port: number) => coversHost(granted, host, port);
};
const readable = (entries: readonly string[]): GrantedHost[] => entries.flatMap((entry) => parseGrantedHost(entry) ?? []);
const place = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;
