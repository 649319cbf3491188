import "server-only";
import { OAuthError } from "@modelcontextprotocol/client";
import type { McpClientCredentials } from "@/contracts/mcp/mcp-authorization";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { discoverAuthorization, hostOf } from "../authorization/discover";
import { redirectUrl } from "../authorization/oauth-client";
import { requestClientToken } from "../authorization/request-client-token";
import { serverAddress, withoutSecretParts } from "../authorization/server-address";
import { storeSignIn } from "../authorization/store-sign-in";
import { findAuthorization } from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { cleanLine } from "../text/clean-text";
import { countTools, findServer } from "./find-server";
import { presentServer } from "./present-server";

/**
 * Signs the workspace in to a server with a client's id and secret (grant `client_credentials`), without a person. The
 * authorization server is asked at once, so that a wrong secret is refused here.
 * @throws AppError `invalid` for `clientSecret` when the client is refused, else why nobody can sign in
 */
export async function signInAsClient(actor: Authorized<"mcp:write">, serverId: string, sent: McpClientCredentials): Promise<McpServer> {
  const server = await findServer(db(), actor.workspaceId, serverId);
  const address = serverAddress(server);
  const before = await findAuthorization(db(), serverId);
  const { metadata, resource, ...found } = await discoverAuthorization(withoutSecretParts(address), before?.challenge ?? null, {
    asksPerson: false,
  });
  const information = { client_id: sent.clientId, client_secret: sent.clientSecret };
  const asked = {
    client: { kind: "given" as const, issuer: metadata.issuer, redirectUrl: redirectUrl(), information },
    metadata,
    resource,
    scope: sent.scope ?? found.scope,
    serverUrl: address.href,
  };
  const issued = await requestClientToken(asked).catch((error) => {
    throw refusalOf(error, metadata.issuer);
  });
  const tokens = {
    ...asked,
    accessToken: issued.access_token,
    refreshToken: null,
    scope: issued.scope ?? asked.scope,
    grant: "client_credentials" as const,
  };
  await storeSignIn(actor, serverId, { tokens, issued, isPersonal: false });
  void mcpConnections().follow(actor.workspaceId);
  return presentServer(await findServer(db(), actor.workspaceId, serverId), await countTools(db(), serverId), actor);
}

function refusalOf(error: unknown, issuer: string): unknown {
  if (isAppError(error)) return error;
  if (!OAuthError.isInstance(error))
    return new AppError("unavailable", `${hostOf(issuer)} did not answer as OAuth 2.1 says. Try again later.`, { cause: error });
  const words = cleanLine([error.code, error.message].filter(Boolean).join(": "), 300);
  const message = `${hostOf(issuer)} refused this client: ${words}. Check its id, its secret and that it may use client_credentials.`;
  return new AppError("invalid", message, { errors: [{ path: "clientSecret", message }] });
}
