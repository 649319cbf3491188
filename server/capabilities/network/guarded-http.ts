import "server-only";
import { isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Agent, buildConnector, request } from "undici";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { guardedLookup } from "../guarded-lookup";
import { isLoopbackHost, isMetadataAddress, isPublicAddress } from "../public-address";
import type { OwnServers } from "../sandbox/network/host-proxy";
import type { HttpAnswer, HttpCapability, HttpRequest } from "./http";

type Options = {
  /** For tests with servers on the loopback address. Never set in production. */
  allowPrivateAddresses?: boolean;
  /** `host:port` pairs that an admin listed. Their addresses may be private, but never an address of a metadata service. */
  privateHosts?: readonly string[];
  /** The conversation's own servers in its sandbox, for requests that ask for them. */
  ownServers?: OwnServers;
  /** Resolves host names; default: the system's resolver. */
  lookup?: LookupFunction;
};

const maxRedirects = 3;
const maxUrlLength = 8_192;
const connectTimeoutMs = 10_000;

/** Agents by their private hosts, so that clients with equal settings share connections. */
const sharedAgents = () => processWide("guardedHttp.agents", () => new Map<string, Agent>());

/** Returns a client that connects to the public internet and the listed private hosts only. */
export function guardedHttp(options: Options = {}): HttpCapability {
  const agent = agentFor(options);
  // Not shared: the same address is another server in each conversation.
  let ownAgent: Agent | null = null;
  const agentOf = (url: URL, { reachesOwnServers }: HttpRequest): Agent => {
    if (!reachesOwnServers || !options.ownServers || !isLoopbackHost(url.hostname)) return agent;
    ownAgent ??= makeAgent(options);
    return ownAgent;
  };

  const open: HttpCapability["open"] = async (url, asked) => {
    try {
      const start = parseUrl(url);
      const answer = await follow(agentOf(start, asked), start, { ...asked, headers: assertHeaders(asked.headers ?? {}) });
      return { ...answer, body: explained(answer.body, url, asked.signal) };
    } catch (error) {
      throw explain(error, url, asked.signal);
    }
  };

  return {
    open,
    async fetch(url, asked) {
      const { body, ...answer } = await open(url, asked);
      const chunks: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of body) {
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length > asked.maxBytes) break;
      }
      const bytes = Buffer.concat(chunks);
      return { ...answer, bytes: bytes.subarray(0, asked.maxBytes), truncated: length > asked.maxBytes };
    },
  };
}

/** Returns the shared agent for a list of private hosts. A custom `lookup` gets an agent, and so connections, of its own. */
function agentFor(options: Options): Agent {
  const { ownServers, ...shared } = options;
  const { privateHosts, allowPrivateAddresses = false, lookup } = shared;
  if (lookup) return makeAgent(shared);
  const key = JSON.stringify([allowPrivateAddresses, privateHosts ? [...privateHosts].sort() : null]);
  const known = sharedAgents().get(key);
  const agent = known ?? makeAgent(shared);
  sharedAgents().set(key, agent);
  return agent;
}

/** Creates an agent that checks the very address it connects to, because a name could resolve differently a moment later. */
function makeAgent({ allowPrivateAddresses = false, privateHosts, ownServers, lookup }: Options): Agent {
  const listed = new Set(privateHosts?.map((entry) => entry.replace(/^\[(.*)\]/, "$1")));
  const refuse = (host: string) => privateAddress(host, { mayBeListed: privateHosts !== undefined });
  const connector = (mayConnect: (address: string) => boolean) => ({
    mayConnect,
    connect: buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: guardedLookup({ mayConnect, refuse, lookup }),
    }),
  });
  const anyHost = connector((address) => allowPrivateAddresses || isPublicAddress(address));
  const listedHost = connector((address) => !isMetadataAddress(address));
  return new Agent({
    connect: (target, callback) => {
      // Node does not call `lookup` for an IP address, so the address is checked here.
      const host = target.hostname.replace(/^\[|\]$/g, "");
      const port = target.port || (target.protocol === "https:" ? "443" : "80");
      const { mayConnect, connect } = listed.has(`${host}:${port}`) ? listedHost : anyHost;
      // A listed host stays the machine's, because an admin or a person meant that one.
      if (ownServers && mayConnect === anyHost.mayConnect && isLoopbackHost(host) && ownServers.has(Number(port))) {
        ownServers.connect(Number(port)).then(
          (socket) => (target.protocol === "https:" ? connect({ ...target, httpSocket: socket }, callback) : callback(null, socket)),
          (error: Error) => callback(error, null),
        );
      } else if (isIP(host) && !mayConnect(host)) callback(refuse(host), null);
      else connect(target, callback);
    },
  });
}

/** Codes of errors that end a request before any byte of it leaves. */
const unsentCodes = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

/** Returns true for an error of a request that the server never received, so that repeating it repeats nothing. */
export function wasNeverSent(error: unknown): boolean {
  if (!isAppError(error)) return false;
  if (error.code === "forbidden" || error.code === "invalid") return true;
  const { cause } = error.details;
  return cause instanceof Error && "code" in cause && unsentCodes.has(String(cause.code));
}

/** Codes of errors for a machine that finds no way to a host at all. */
const noWayCodes = new Set(["ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"]);

/** Returns true when the host has no address for this machine, or no network leads to it. */
export function hadNoWay(error: unknown): boolean {
  const cause = isAppError(error) ? error.details.cause : null;
  return cause instanceof Error && "code" in cause && noWayCodes.has(String(cause.code));
}

/** Returns why a URL is never fetched, for any caller and any address; null when the URL is acceptable. */
export const urlFault = (url: string): string | null => faultOf(() => parseUrl(url));

/** Returns why these headers are not sent; null when they are acceptable. */
export const headersFault = (headers: Record<string, string>): string | null => faultOf(() => assertHeaders(headers));

function faultOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return toErrorMessage(error);
  }
}

async function follow(agent: Agent, start: URL, asked: HttpRequest): Promise<HttpAnswer & { body: AsyncIterable<Uint8Array> }> {
  let url = start;
  let { method, body, headers = {} } = asked;
  for (let redirects = 0; ; redirects += 1) {
    const response = await request(url, {
      dispatcher: agent,
      method,
      body,
      signal: asked.signal,
      headers: { "user-agent": "handrail", accept: "*/*", "accept-encoding": "identity", ...headers, ...asked.ownHeaders },
    });
    // Without a listener, an error after the reader left would crash the process. A reader still receives the error.
    response.body.on("error", () => {});
    const target = asked.followRedirects ? redirectTarget(response.statusCode, response.headers.location, url) : null;
    if (!target || target.origin !== url.origin) {
      return {
        url: url.href,
        status: response.statusCode,
        headers: flat(response.headers),
        body: unpacked(response.body, response.headers["content-encoding"]),
      };
    }
    await response.body.dump();
    if (redirects === maxRedirects) {
      throw new AppError("unavailable", `${start.href} redirects more than ${maxRedirects} times. Fetch ${target.href} directly.`);
    }
    const becomesGet = response.statusCode === 303 || (response.statusCode <= 302 && method === "POST");
    if (becomesGet) {
      method = "GET";
      body = undefined;
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
    }
    url = parseUrl(target.href);
  }
}

function redirectTarget(status: number, location: string | string[] | undefined, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== "string") return null;
  return URL.canParse(location, from) ? new URL(location, from) : null;
}

/** @throws AppError `invalid` for everything that is not a plain http or https address. */
function parseUrl(text: string): URL {
  if (text.length > maxUrlLength) throw new AppError("invalid", `The URL is longer than ${maxUrlLength.toLocaleString("en")} characters.`);
  const url = URL.parse(text);
  if (!url) throw new AppError("invalid", `${text} is not a URL. Send one such as https://example.com/page.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new AppError("invalid", `${url.protocol}// is not fetched, only http:// and https://.`);
  }
  if (url.username || url.password) throw new AppError("invalid", "A URL with a user name or password is not fetched. Send it without.");
  return url;
}

const refusedNames = new Set([
  "cookie",
  "cookie2",
  "host",
  "forwarded",
  "x-real-ip",
  // Headers of the connection: when proxy and server read them differently, a request can be smuggled.
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const refusedPrefixes = ["proxy-", "x-forwarded-"];
const refusedParts = ["authorization", "apikey", "token"];

/** @throws AppError `forbidden` for headers that carry credentials or fake another sender. */
function assertHeaders(headers: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new AppError("invalid", `${JSON.stringify(name)} is not a header name.`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new AppError("invalid", `The header ${name} has characters that a header cannot carry. Send plain text.`);
    }
    const lower = name.toLowerCase();
    const plain = lower.replaceAll(/[^a-z0-9]/g, "");
    if (
      refusedNames.has(lower) ||
      refusedPrefixes.some((prefix) => lower.startsWith(prefix)) ||
      refusedParts.some((part) => plain.includes(part))
    ) {
      throw new AppError("forbidden", `The header ${name} may not be sent. Leave it out.`);
    }
    checked[lower] = value;
  }
  return checked;
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** Decompresses while reading, so that the caller's limit counts decompressed bytes and stops a decompression bomb. */
function unpacked(body: Readable, encoding: string | string[] | undefined): AsyncIterable<Uint8Array> {
  const name = String(encoding ?? "identity")
    .trim()
    .toLowerCase();
  if (name === "" || name === "identity") return body;
  const makeDecoder = decoders.get(name);
  if (!makeDecoder) {
    body.destroy();
    throw new AppError("unavailable", `The answer is packed as ${name}, which cannot be read here. Try another address.`);
  }
  // The callback ignores errors, because the caller's loop over the decoder throws them.
  return pipeline(body, makeDecoder(), () => {});
}

const decoders = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

function privateAddress(host: string, { mayBeListed }: { mayBeListed: boolean }): AppError {
  const wayOut = mayBeListed ? " An admin can add it to the guard's allowed hosts, with its port, as in intranet.example:8080." : "";
  return new AppError("forbidden", `${host} is a private or local address. Only the public internet can be fetched.${wayOut}`);
}

async function* explained(body: AsyncIterable<Uint8Array>, url: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw explain(error, url, signal);
  }
}

/** Without a network or a name server no name has an address, so its spelling is not the reason. */
function noAddress(host: string, code: "ENOTFOUND" | "EAI_AGAIN"): string {
  if (hasNetwork() && code === "EAI_AGAIN") {
    return `No address is known for ${host}, because no name server (DNS) answers this machine. Try again later; an admin can check its DNS.`;
  }
  return hasNetwork()
    ? `No address is known for ${host}. Check the spelling; when no other host is known either, an admin must check this machine's DNS.`
    : `No address is known for ${host}, because this machine has no network. Ask an admin to connect it, or go on without the network.`;
}

/** Whether the machine has an interface beyond itself. */
export const hasNetwork = (interfaces = networkInterfaces()): boolean =>
  Object.values(interfaces).some((addresses) => addresses?.some(({ internal, address }) => !internal && !address.startsWith("fe80:")));

/** Turns a network error into an AppError with a sentence. */
function explain(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (isAppError(error)) return error;
  const code = error instanceof Error && "code" in error ? error.code : null;
  const host = URL.parse(url)?.host ?? url;
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new AppError("unavailable", noAddress(host, code), { cause: error });
    case "UND_ERR_CONNECT_TIMEOUT":
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return new AppError("timed_out", `${host} did not answer in time. Try again later.`, { cause: error });
    default:
      return new AppError(
        "unavailable",
        `Fetching from ${host} failed: ${toErrorMessage(error) || code || "the connection broke"}. Try again later.`,
        {
          cause: error,
        },
      );
  }
}
