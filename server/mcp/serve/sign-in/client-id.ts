import "server-only";
import { z } from "zod";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import { OAuthError } from "./oauth-error";
import { readSignedText, signText } from "./signed-text";

/** A registered client, as its id says. */
export type OAuthClient = { id: string; name: string; redirectUris: readonly string[] };

const purpose = "client";
const prefix = "hrc_";
const nameLimit = 40;

const Registration = z.object({
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
  client_name: z.string().nullish().catch(null),
});
const Payload = z.object({ name: z.string(), redirectUris: z.array(z.string()) });

/**
 * Registers a client (RFC 7591). Its id holds what it said about itself and our signature, and nothing is stored, so
 * that strangers cannot fill the database.
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function registerClient(metadata: unknown): OAuthClient {
  const { success, data } = Registration.safeParse(metadata);
  if (!success) throw new OAuthError("invalid_client_metadata", "Send redirect_uris: one to ten addresses of up to 500 characters.");
  const refused = data.redirect_uris.find((uri) => !isSafeRedirect(uri));
  if (refused !== undefined) {
    throw new OAuthError(
      "invalid_redirect_uri",
      "A redirect address is https, http on this computer, or a program's own scheme: one with a dot, or one that Handrail knows. It has no fragment, no account, no backslash, and only printable ASCII.",
    );
  }
  const name = cleanLine(data.client_name ?? "", nameLimit).trim() || "MCP client";
  const payload = Buffer.from(JSON.stringify({ name, redirectUris: data.redirect_uris })).toString("base64url");
  return { id: `${prefix}${signText(purpose, payload)}`, name, redirectUris: data.redirect_uris };
}

/** Reads a client from its id; null for an id that was not made here. */
export function readClient(id: string): OAuthClient | null {
  const payload = id.startsWith(prefix) ? readSignedText(purpose, id.slice(prefix.length)) : null;
  if (payload === null) return null;
  const { name, redirectUris } = Payload.parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
  return { id, name, redirectUris };
}

/** Returns whether the client registered the address. The port of an address of this computer may differ (RFC 8252, 7.3). */
export function ownsRedirect({ redirectUris }: OAuthClient, uri: string): boolean {
  return redirectUris.some((registered) => registered === uri || (isLoopback(registered) && withoutPort(registered) === withoutPort(uri)));
}

/** Schemes of programs that register one without a dot; a scheme with a dot belongs to whoever has the domain (RFC 8252, 7.1). */
const knownSchemes = new Set([
  "cursor:",
  "vscode:",
  "vscode-insiders:",
  "vscodium:",
  "windsurf:",
  "zed:",
  "claude:",
  "raycast:",
  "warp:",
  "goose:",
]);

/** Schemes of addresses that browsers run as code, also with a suffix such as `javascript.x`, which no domain owner has. */
const codeScheme = /^(?:javascript|vbscript|data|blob|about|file)\b/;

/** Printable ASCII without a space and a backslash. Parsers drop or replace other characters, each in its own way. */
const plainAddress = /^[!-[\]-~]+$/;

function isSafeRedirect(uri: string): boolean {
  if (!plainAddress.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  if (codeScheme.test(protocol)) return false;
  if (uri.includes("#") || username !== "" || password !== "") return false;
  if (protocol === "http:") return isLoopback(uri);
  return protocol === "https:" || protocol.includes(".") || knownSchemes.has(protocol);
}

function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]");
}

function withoutPort(uri: string): string | null {
  if (!isLoopback(uri)) return null;
  const url = new URL(uri);
  url.port = "";
  return url.href;
}
