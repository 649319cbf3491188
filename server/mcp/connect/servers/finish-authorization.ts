import "server-only";
import {
  exchangeAuthorization,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { and, eq, sql } from "drizzle-orm";
import type { McpSignInOutcome } from "@/contracts/mcp-authorization";
import { mcpAuthorizations, mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { isAppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { hostOf } from "../authorization/discover";
import { oauthFetch } from "../authorization/oauth-fetch";
import { serverAddress, withoutSecretParts } from "../authorization/server-address";
import {
  openJson,
  SignInRequest,
  type StoredTokens,
  saveAuthorization,
  sealJson,
  tokenColumns,
} from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { cleanLine } from "../text/clean-text";
import { findServer } from "./find-server";

export type CallbackQuery = { state?: string; code?: string; iss?: string; error?: string; error_description?: string };
export type Finished = { outcome: McpSignInOutcome; serverId: string | null };

/**
 * Finishes a sign-in after the browser came back: checks state, person, session and issuer, exchanges the code and stores
 * the tokens. Every replica then connects. A failure stands in the server's row as its last error.
 */
export async function finishAuthorization(actor: Actor | null, sessionId: string | null, query: CallbackQuery): Promise<Finished> {
  const taken = await takeRequest(actor, sessionId, query.state);
  if ("outcome" in taken) return taken;
  const { request, serverId } = taken;
  try {
    await saveSignIn(taken.actor, serverId, request, await redeem(request, query));
  } catch (error) {
    await saveReason(taken.actor, serverId, reasonOf(error, request));
    return { outcome: "failed", serverId };
  }
  void mcpConnections().follow(taken.actor.workspaceId);
  return { outcome: "connected", serverId };
}

type Taken = { actor: Actor; serverId: string; request: SignInRequest };

/** Takes the begun sign-in of this state, once. A state of another person or session is refused and stays theirs. */
async function takeRequest(actor: Actor | null, sessionId: string | null, state: string | undefined): Promise<Taken | Finished> {
  if (!actor || !sessionId || !actor.permissions.has("mcp:write")) return { outcome: "not_yours", serverId: null };
  if (!state) return { outcome: "expired", serverId: null };
  return db().transaction(async (tx) => {
    const [row] = await tx
      .select({
        serverId: mcpAuthorizations.serverId,
        requestSealed: mcpAuthorizations.requestSealed,
        isFresh: sql<boolean>`${mcpAuthorizations.requestExpiresAt} > now()`,
      })
      .from(mcpAuthorizations)
      .where(and(eq(mcpAuthorizations.workspaceId, actor.workspaceId), eq(mcpAuthorizations.stateHash, sha256(state))))
      .for("update");
    const request = row && openJson(SignInRequest, row.requestSealed);
    if (!row || !request) return { outcome: "expired", serverId: null };
    const { serverId } = row;
    if (request.personId !== actor.personId || request.sessionId !== sessionId) return { outcome: "not_yours", serverId };
    await tx
      .update(mcpAuthorizations)
      .set({ stateHash: null, requestSealed: null, requestExpiresAt: null })
      .where(eq(mcpAuthorizations.serverId, serverId));
    return row.isFresh ? { actor, serverId, request } : { outcome: "expired", serverId };
  });
}

async function redeem(request: SignInRequest, { code, iss, error, error_description }: CallbackQuery): Promise<OAuthTokens> {
  const { metadata } = request;
  // The issuer comes first: of a foreign answer nothing else is read (RFC 9207).
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  if (error) throw new OAuthError(error, error_description ?? "");
  if (!code) throw new OAuthError("invalid_request", "no code came back");
  return exchangeAuthorization(metadata.issuer, {
    metadata,
    clientInformation: request.client.information,
    authorizationCode: code,
    codeVerifier: request.verifier,
    redirectUri: request.redirectUrl,
    resource: request.resource,
    fetchFn: oauthFetch(withoutSecretParts(new URL(request.serverUrl))),
    ...(iss === undefined ? {} : { iss }),
  });
}

async function saveSignIn(actor: Actor, serverId: string, request: SignInRequest, issued: OAuthTokens): Promise<void> {
  if (issued.token_type.toLowerCase() !== "bearer") throw new OAuthError("unsupported_token_type", issued.token_type);
  const tokens: StoredTokens = {
    accessToken: issued.access_token,
    refreshToken: issued.refresh_token ?? null,
    // An omitted scope means: granted as asked for.
    scope: issued.scope ?? request.scope,
    serverUrl: request.serverUrl,
    resource: request.resource,
    metadata: request.metadata,
    client: request.client,
  };
  const issuer = request.metadata.issuer;
  await db().transaction(async (tx) => {
    const server = await findServer(tx, actor.workspaceId, serverId, { lock: true });
    if (serverAddress(server).href !== request.serverUrl) throw new OAuthError("invalid_target", "the server's address has changed");
    await saveAuthorization(tx, server, {
      ...tokenColumns(tokens, issued.expires_in),
      challenge: null,
      clientSealed: request.client.kind === "document" ? null : sealJson(request.client),
    });
    const authorization = { id: newId(), issuer, scope: tokens.scope, neededScope: null, signedInBy: actor.name };
    await tx
      .update(mcpServers)
      .set({
        authorization: sql`${JSON.stringify(authorization)}::jsonb || jsonb_build_object('signedInAt', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
        ...(server.enabled ? { status: "connecting" as const } : {}),
        lastError: null,
        lastStderr: null,
        version: sql`${mcpServers.version} + 1`,
      })
      .where(eq(mcpServers.id, serverId));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.signed_in",
      actor: toActorRef(actor),
      subject: server.alias,
      data: { issuer, resource: tokens.resource, scope: tokens.scope },
      requestId: actor.requestId,
    });
  });
}

async function saveReason(actor: Actor, serverId: string, sentence: string): Promise<void> {
  await db()
    .update(mcpServers)
    .set({ lastError: sentence, updatedAt: sql`updated_at` })
    .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.id, serverId)));
}

function reasonOf(error: unknown, { metadata }: SignInRequest): string {
  const host = hostOf(metadata.issuer);
  const again = "Connect again.";
  if (IssuerMismatchError.isInstance(error)) return `The sign-in failed: the answer did not come from ${host}. ${again}`;
  if (OAuthError.isInstance(error)) {
    const words = [error.code, error.message].filter(Boolean).join(": ");
    return `The sign-in failed: ${host} answered ${cleanLine(words, 300)}. ${again}`;
  }
  if (isAppError(error)) return `The sign-in failed: ${error.message} ${again}`;
  log().warn({ err: error, issuer: metadata.issuer }, "a sign-in at an authorization server failed");
  return `The sign-in failed: ${host} did not answer as OAuth 2.1 says. ${again}`;
}
