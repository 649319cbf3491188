import { type IncomingMessage, request as plainRequest, type ServerResponse } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import { addCredential, chunksWithoutCredential, withoutCredential } from "../../auth-profiles/credential";
import { guardedLookup } from "../../guarded-lookup";
import type { RegistryRoute } from "../../package-registries/registry-routes";
import { isMetadataAddress } from "../../public-address";
import { endToEndHeaders } from "./proxy-messages";

/** Questions of package programs that are no change, although they are sent with POST. */
const audits = /\/-\/npm\/v1\/security\/(?:advisories\/bulk|audits(?:\/quick)?)$/;

/** A request for the public registry: its path with the query. */
export type RegistryRequest = { route: RegistryRoute; path: string };

type Forwarding = {
  /** Receives the upstream socket, so that it ends with the grant. */
  keep: (socket: Socket) => void;
  /** Hears what the registry refused, as a sentence. */
  refused: (reason: string) => void;
  fail: (error: unknown) => void;
  connectMs: number;
  idleMs: number;
  lookup: LookupFunction | undefined;
};

/** Returns why a request must not reach the registry; null for a request that only reads. */
export function registryFault(method: string, { route, path }: RegistryRequest): string | null {
  // An address is never looked up.
  const host = hostOf(route);
  if (isIP(host) && isMetadataAddress(host)) return `${originOf(route)} is an address of the machine's cloud, and no registry.`;
  if (method === "GET" || method === "HEAD" || (method === "POST" && audits.test(path))) return null;
  return `${method} to ${route.host} is refused: an admin set ${originOf(route)} in its place for reading packages, not for publishing or signing in.`;
}

/**
 * Forwards a request for a public registry to the one that an admin set in its place, with the admin's credential. The
 * credential is taken out of the answer, should the registry repeat it.
 */
export function forwardToRegistry(
  { route, path }: RegistryRequest,
  message: IncomingMessage,
  response: ServerResponse,
  { keep, refused, fail, connectMs, idleMs, lookup }: Forwarding,
): void {
  const origin = originOf(route);
  const { url, ownHeaders, secrets } = addCredential(`${origin}${path}`, route.profile);
  const target = new URL(url);
  const own = Object.entries(ownHeaders);
  const replaced = new Set(["authorization", "cookie", "accept-encoding", ...own.map(([name]) => name)]);
  const request = target.protocol === "https:" ? tlsRequest : plainRequest;
  const forwarded = request({
    ...{ protocol: target.protocol, host: hostOf(route), port: target.port, agent: false },
    method: message.method,
    path: `${target.pathname}${target.search}`,
    setHost: false,
    headers: [
      ...withoutHeaders(endToEndHeaders(message.rawHeaders), replaced),
      ...own.flat(),
      // A credential cannot be found in compressed bytes.
      ...["Accept-Encoding", "identity", "Host", target.host, "Connection", "close"],
    ],
    lookup: guardedLookup({
      mayConnect: (address) => !isMetadataAddress(address),
      refuse: () => new Error(`${target.hostname} is an address of the machine's cloud`),
      ...(lookup ? { lookup } : {}),
    }),
  });
  const timer = setTimeout(() => forwarded.destroy(new Error("no answer in time")), connectMs);
  forwarded.once("socket", (socket) => {
    keep(socket);
    socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(timer));
  });
  forwarded.setTimeout(idleMs, () => forwarded.destroy(new Error("no answer in time")));
  forwarded.once("close", () => clearTimeout(timer));
  forwarded.on("error", (error) => fail(Object.assign(error, { message: `${origin}: ${error.message}` })));
  forwarded.once("response", (upstream) => {
    upstream.once("error", () => response.destroy());
    const status = upstream.statusCode ?? 502;
    if (status === 401 || status === 403) refused(refusalOf(route, status));
    const headers = endToEndHeaders(upstream.rawHeaders).map((value, index) =>
      index % 2 === 0 ? value : withoutCredential(value, secrets).replace(origin, () => `http://${route.host}`),
    );
    response.writeHead(status, upstream.statusMessage, headers);
    const body = Readable.from(chunksWithoutCredential(upstream, secrets), { objectMode: false });
    body.once("error", () => response.destroy());
    body.pipe(response);
  });
  response.once("close", () => forwarded.destroy());
  message.pipe(forwarded);
}

const hostOf = ({ upstream }: RegistryRoute): string => new URL(upstream).hostname.replace(/^\[|\]$/g, "");
const originOf = ({ upstream }: RegistryRoute): string => new URL(upstream).origin;

function refusalOf(route: RegistryRoute, status: 401 | 403): string {
  const told = `${originOf(route)}, which an admin set in place of ${route.host}, answered ${status}.`;
  const credential = route.profile ? `It has the auth profile "${route.profile.name}"` : "It has no auth profile";
  return `${told} ${credential}: ask an admin to look at Settings, Package registries.`;
}

function withoutHeaders(headers: readonly string[], names: ReadonlySet<string>): string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 && !names.has(name.toLowerCase()) ? [name, headers[index + 1] ?? ""] : []));
}
