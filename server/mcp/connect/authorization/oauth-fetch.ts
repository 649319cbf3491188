import "server-only";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { env } from "@/server/platform/env";
import { AppError, isAppError } from "@/server/platform/errors";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxBytes = 256 * 1_024;
const patienceMilliseconds = 10_000;
const withoutBody = new Set([204, 205, 304]);

/**
 * Makes the `fetch` for metadata, registration and tokens. The server chooses these addresses, so private addresses are
 * refused, except the server's own `host:port`, which an admin entered, and those that the operator listed. Plain http is
 * for those and for loopback only, because tokens travel here. Redirects are left to the SDK, which stays in the origin.
 */
export function oauthFetch(serverUrl: URL, signal: AbortSignal = AbortSignal.timeout(patienceMilliseconds)): Fetch {
  const http = guardedHttp({ privateHosts: [hostAndPort(serverUrl), ...env().mcpAuthorizationHosts] });
  return async (address, init = {}) => {
    const url = new URL(address);
    assertSecure(url, serverUrl);
    const { authorization, ...headers } = Object.fromEntries(new Headers(init.headers));
    const request = {
      method: init.method ?? "GET",
      headers,
      ...(authorization === undefined ? {} : { ownHeaders: { authorization } }),
      ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) }),
      signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
      maxBytes,
    };
    const answer = await http.fetch(url.href, request).catch((error) => {
      throw isAppError(error) && error.code === "forbidden" ? privateAddress(url) : error;
    });
    if (answer.truncated) throw new AppError("too_large", `${url.host} answered with more than 256 KiB.`);
    const body = withoutBody.has(answer.status) ? null : Buffer.from(answer.bytes);
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

/** @throws AppError `invalid` for an address that is neither https nor plain http of the admin's own host. */
export function assertSecure(url: URL, serverUrl: URL): void {
  if (url.protocol === "https:") return;
  if (url.protocol === "http:" && (url.host === serverUrl.host || isLoopback(url.hostname))) return;
  throw new AppError("invalid", `${url.origin} is not https. Sign-in needs an authorization server over https.`);
}

function privateAddress({ host }: URL): AppError {
  const message = `${host} is a private or local address, to which no MCP server may lead. The operator can list it in HANDRAIL_MCP_AUTHORIZATION_HOSTS.`;
  return new AppError("forbidden", message);
}

const isLoopback = (name: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(name);

function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
