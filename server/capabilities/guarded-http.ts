import "server-only";
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Agent, buildConnector, request } from "undici";
import { AppError, isAppError, messageOf } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import type { HttpAnswer, HttpCapability, HttpRequest } from "./http";
import { isPublicAddress } from "./public-address";

type Options = {
  /** For tests that serve on the loopback address. Never set in production. */
  allowPrivateAddresses?: boolean;
  /** Resolves names; the system's resolver when not given. */
  lookup?: LookupFunction;
};

const maxRedirects = 3;
const maxUrlLength = 8_192;
const connectTimeoutMs = 10_000;

/** Fetches from the public internet only. Connections are shared in the whole process, unless options are given. */
export function guardedHttp(options?: Options): HttpCapability {
  const agent = options ? makeAgent(options) : processWide("guardedHttp.agent", () => makeAgent({}));

  const open: HttpCapability["open"] = async (url, asked) => {
    try {
      const answer = await follow(agent, parseUrl(url), { ...asked, headers: checkHeaders(asked.headers ?? {}) });
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

/** Where a connection goes is decided on the very address that it is made to, so that a name cannot change in between. */
function makeAgent({ allowPrivateAddresses = false, lookup = systemLookup }: Options): Agent {
  const mayConnect = (address: string) => allowPrivateAddresses || isPublicAddress(address);
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, []);
        const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
        // One private address among public ones is how rebinding begins: the whole name is refused.
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => mayConnect(address))) return callback(privateAddress(hostname), []);
        return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
      });
    },
  });
  return new Agent({
    connect: (target, callback) => {
      // Node does not look up what is an address already.
      const host = target.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) && !mayConnect(host)) callback(privateAddress(host), null);
      else connect(target, callback);
    },
  });
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
    // The stream may break when nobody reads it any more; whoever reads it still sees the error.
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
  // These belong to the connection, and two sides that read them differently can be played against each other.
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

/** @throws AppError `forbidden` for headers that carry credentials or pretend to be somebody else. */
function checkHeaders(headers: Record<string, string>): Record<string, string> {
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

/** Unpacks while reading, so that the caller's limit counts unpacked bytes and a small bomb is not a big one. */
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
  // The loop over the decoder sees its errors.
  return pipeline(body, makeDecoder(), () => {});
}

const decoders = new Map<string, () => NodeJS.ReadWriteStream & Readable>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

function privateAddress(host: string): AppError {
  return new AppError("forbidden", `${host} is a private or local address. Only the public internet can be fetched.`);
}

async function* explained(body: AsyncIterable<Uint8Array>, url: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw explain(error, url, signal);
  }
}

/** The sentence for what went wrong on the way. */
function explain(error: unknown, url: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (isAppError(error)) return error;
  const code = error instanceof Error && "code" in error ? error.code : null;
  const host = URL.parse(url)?.host ?? url;
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new AppError("unavailable", `No address is known for ${host}. Check the spelling.`);
    case "UND_ERR_CONNECT_TIMEOUT":
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return new AppError("timed_out", `${host} did not answer in time. Try again later.`);
    default:
      return new AppError("unavailable", `Fetching from ${host} failed: ${messageOf(error) || code || "the connection broke"}.`);
  }
}
