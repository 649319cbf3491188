import "server-only";
import { RegistrationRejectedError, registerClient } from "@modelcontextprotocol/client";
import { type McpAuthorizationDraft, mcpCallbackPath, mcpClientMetadataPath } from "@/contracts/mcp/mcp-authorization";
import { env } from "@/server/platform/env";
import { AppError, isAppError } from "@/server/platform/errors";
import { type Discovered, hostOf } from "./discover";
import type { oauthFetch } from "./oauth-fetch";
import type { OAuthClient } from "./stored-authorization";

/** Address to which authorization servers send the browser back. */
export const redirectUrl = (): string => `${env().publicUrl}${mcpCallbackPath}`;

/** Handrail as authorization servers know it: the client ID metadata document, and the body of a registration. */
export function clientMetadata() {
  return {
    client_id: `${env().publicUrl}${mcpClientMetadataPath}`,
    client_name: "Handrail",
    client_uri: env().publicUrl,
    redirect_uris: [redirectUrl()],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // OpenID Connect takes redirect addresses over http only from native clients.
    application_type: env().publicUrl.startsWith("https:") ? ("web" as const) : ("native" as const),
    token_endpoint_auth_method: "none",
  };
}

type Wanted = {
  draft: McpAuthorizationDraft;
  stored: OAuthClient | null;
  /** Scope that will be asked for. */
  scope: string | null;
  fetchFn: ReturnType<typeof oauthFetch>;
};

/**
 * Chooses the client for an issuer: the admin's, the stored registration, the client ID metadata document, or a new
 * registration (RFC 7591). A client is only used at the issuer that it belongs to.
 * @throws AppError `invalid` for `clientId` when the issuer registers nobody by itself
 */
export async function chooseClient(metadata: Discovered["metadata"], wanted: Wanted): Promise<OAuthClient> {
  const { draft, stored, scope, fetchFn } = wanted;
  const at = { issuer: metadata.issuer, redirectUrl: redirectUrl() };
  if (draft.clientId) {
    const secret = draft.clientSecret === undefined ? {} : { client_secret: draft.clientSecret };
    return { kind: "given", ...at, information: { client_id: draft.clientId, ...secret } };
  }
  if (stored?.issuer === at.issuer && stored.redirectUrl === at.redirectUrl && mayAskFor(stored, scope)) return stored;
  const { client_id: document, ...registration } = clientMetadata();
  // A document that the issuer cannot fetch over https is no client ID.
  if (metadata.client_id_metadata_document_supported === true && document.startsWith("https:")) {
    return { kind: "document", ...at, information: { client_id: document } };
  }
  if (!metadata.registration_endpoint) throw clientNeeded(metadata.issuer, "does not register clients by itself");
  const methods = metadata.token_endpoint_auth_methods_supported;
  const method =
    !methods || methods.includes("none") ? "none" : methods.includes("client_secret_basic") ? "client_secret_basic" : methods[0];
  try {
    const information = await registerClient(metadata.issuer, {
      metadata,
      clientMetadata: { ...registration, token_endpoint_auth_method: method },
      ...(scope === null ? {} : { scope }),
      fetchFn,
    });
    return { kind: "registered", ...at, information };
  } catch (error) {
    if (isAppError(error)) throw error;
    const status = RegistrationRejectedError.isInstance(error) ? ` (HTTP ${error.status})` : "";
    throw clientNeeded(metadata.issuer, `refused to register Handrail${status}`);
  }
}

/** Whether a registration may ask for a scope: some authorization servers keep a client to the scope of its registration. */
function mayAskFor({ kind, information }: OAuthClient, scope: string | null): boolean {
  if (kind !== "registered" || typeof information.scope !== "string" || scope === null) return true;
  const registered = new Set(information.scope.split(" "));
  return scope.split(" ").every((one) => registered.has(one));
}

function clientNeeded(issuer: string, why: string): AppError {
  const message = `${hostOf(issuer)} ${why}. Register Handrail there with the redirect address ${redirectUrl()} and enter the client ID.`;
  return new AppError("invalid", message, { errors: [{ path: "clientId", message }] });
}
