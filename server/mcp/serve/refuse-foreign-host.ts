import "server-only";
import { isIP } from "node:net";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";

/**
 * Refuses requests that a web page could send through DNS rebinding: a foreign `Origin`, or a `Host` that is neither the
 * public address, `localhost` nor an IP address. Behind a trusted proxy the proxy chooses `Host`, so it is not checked.
 * @throws AppError `foreign_origin`
 */
export function refuseForeignHost({ headers }: Request): void {
  const publicUrl = new URL(env().publicUrl);
  const host = hostnameOf(`http://${headers.get("host") ?? ""}`);
  const isKnown = host !== null && (host === publicUrl.hostname || isLocalOrAddress(host));
  if (!isKnown && env().trustedProxies === 0) {
    throw new AppError(
      "foreign_origin",
      `/mcp is not served under this host name. An admin sets HANDRAIL_PUBLIC_URL to the address in use.`,
    );
  }
  const origin = headers.get("origin");
  if (origin === null || origin === publicUrl.origin) return;
  const from = hostnameOf(origin);
  if (from !== null && from === host && isKnown) return;
  throw new AppError("foreign_origin", "/mcp takes no requests from web pages of other sites. Connect with an MCP client.");
}

/**
 * Returns the address under which a client reaches /mcp: that of the request when it is this computer or an IP address, else
 * the public one. Clients compare it with the address that they were given.
 */
export function mcpAddressFor({ headers }: Request): string {
  const host = headers.get("host") ?? "";
  const name = hostnameOf(`http://${host}`);
  const { protocol } = new URL(env().publicUrl);
  return name !== null && isLocalOrAddress(name) ? `${protocol}//${host}/mcp` : `${env().publicUrl}/mcp`;
}

/** Returns whether an address of /mcp is one that `mcpAddressFor` gives. */
export function isMcpAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, hostname, pathname } = new URL(address);
  // Some clients name the origin only, or add a slash.
  const isPath = pathname === "/" || pathname.replace(/\/$/, "") === "/mcp";
  return isPath && (origin === new URL(env().publicUrl).origin || isLocalOrAddress(hostname));
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** DNS rebinding needs a name that an attacker controls, so an IP address is safe. */
function isLocalOrAddress(host: string): boolean {
  return host === "localhost" || isIP(host.replace(/^\[|\]$/g, "")) !== 0;
}
