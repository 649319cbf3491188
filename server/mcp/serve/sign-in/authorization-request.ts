import "server-only";
import type { McpClientRequest } from "@/contracts/mcp/mcp-client-sign-ins";
import { env } from "@/server/platform/env";
import { isMcpAddress } from "../refuse-foreign-host";
import { type OAuthClient, ownsRedirect, readClient } from "./client-id";
import { mcpResource } from "./metadata";
import { OAuthError } from "./oauth-error";

/**
 * Outcome of a client's request at the authorization endpoint. Anybody can register, so the browser is never sent on
 * without a person's click: a forged request would make Handrail an open redirect (RFC 9700, 4.11.2).
 */
export type ReadRequest =
  | { kind: "unusable"; reason: string }
  | { kind: "refused"; client: OAuthClient; reason: string; redirectUri: string; redirectTo: string }
  | { kind: "usable"; client: OAuthClient; request: McpClientRequest };

/** Reads the query of an authorization request (OAuth 2.1, 4.1.1). */
export function readAuthorizationRequest(query: URLSearchParams): ReadRequest {
  const of = (name: string) => query.get(name) ?? "";
  const client = readClient(of("client_id"));
  if (!client)
    return { kind: "unusable", reason: "The client is not registered here. Remove the connection in the client and add it again." };
  const redirectUri = query.get("redirect_uri") ?? (client.redirectUris.length === 1 ? (client.redirectUris[0] ?? "") : "");
  if (!ownsRedirect(client, redirectUri)) {
    return {
      kind: "unusable",
      reason: "The client named an address that it did not register. Remove the connection in the client and add it again.",
    };
  }
  const request: McpClientRequest = {
    clientId: client.id,
    redirectUri,
    state: query.get("state"),
    codeChallenge: of("code_challenge"),
  };
  const fault = faultOf(query);
  if (!fault) return { kind: "usable", client, request };
  return { kind: "refused", client, reason: fault.message, redirectUri, redirectTo: redirectWithError(request, fault) };
}

function faultOf(query: URLSearchParams): OAuthError | null {
  if (query.get("response_type") !== "code") return new OAuthError("unsupported_response_type", "response_type has to be code");
  if (query.get("code_challenge_method") !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(query.get("code_challenge") ?? "")) {
    return new OAuthError("invalid_request", "PKCE is needed: code_challenge with code_challenge_method S256");
  }
  const resource = query.get("resource");
  return resource === null || isMcpAddress(resource) ? null : new OAuthError("invalid_target", `resource has to be ${mcpResource()}`);
}

/** The client's address with an error for it. */
export function redirectWithError({ redirectUri, state }: McpClientRequest, { code, message }: OAuthError): string {
  return redirectWith(redirectUri, { error: code, error_description: message, state });
}

/** The client's address with members of the answer; `iss` names us (RFC 9207). */
export function redirectWith(redirectUri: string, members: Record<string, string | null>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...members, iss: env().publicUrl })) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}
