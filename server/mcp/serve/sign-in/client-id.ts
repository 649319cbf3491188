import "server-only";
import { z } from "zod";
import { storableText } from "@/server/platform/storable";
import { OAuthError } from "./oauth-error";
import { readSignedText, signText } from "./signed-text";

/** A registered client, as its id says. */
export type OAuthClient = { id: string; name: string; redirectUris: readonly string[] };

const purpose = "client";
const prefix = "hrc_";
const nameLimit = 80;

const Registration = z.object({
  redirect_uris: z.array(z.string().max(500)).min(1).max(5),
  client_name: z.string().optional(),
});
const Payload = z.object({ name: z.string(), redirectUris: z.array(z.string()) });

/**
 * Registers a client (RFC 7591). Its id holds what it said about itself and our signature, and nothing is stored, so
 * that strangers cannot fill the database.
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function registerClient(metadata: unknown): OAuthClient {
  const { success, data } = Registration.safeParse(metadata);
  if (!success) throw new OAuthError("invalid_client_metadata", "Send redirect_uris: one to five addresses of up to 500 characters.");
  const refused = data.redirect_uris.find((uri) => !isSafeRedirect(uri));
  if (refused !== undefined) {
    throw new OAuthError("invalid_redirect_uri", "A redirect address is https, http on this computer, or a scheme of the client's own.");
  }
  const name =
    storableText(data.client_name?.trim() ?? "")
      .slice(0, nameLimit)
      .toWellFormed() || "MCP client";
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

/** Schemes that run or show text in a browser instead of leading to a program. */
const browserSchemes = new Set([
  "javascript:",
  "data:",
  "blob:",
  "file:",
  "about:",
  "view-source:",
  "vbscript:",
  "filesystem:",
  "ws:",
  "wss:",
  "ftp:",
]);

function isSafeRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hash, username, password } = new URL(uri);
  if (hash !== "" || username !== "" || password !== "" || uri.includes("#")) return false;
  if (protocol === "http:") return isLoopback(uri);
  return protocol === "https:" || !browserSchemes.has(protocol);
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
