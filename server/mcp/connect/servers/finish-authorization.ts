import "server-only";
import {
  exchangeAuthorization,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { and, eq, sql } from "drizzle-orm";
import type { McpSignInOutcome } from "@/contracts/mcp/mcp-authorization";
import type { Db } from "@/db/client";
import { mcpAuthorizations, mcpPersonSignIns, mcpServers } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { hostOf } from "../authorization/discover";
import { oauthFetch } from "../authorization/oauth-fetch";
import { withoutSecretParts } from "../authorization/server-address";
import { storeSignIn } from "../authorization/store-sign-in";
import { openJson, SignInRequest, type StoredTokens, saveSignInColumns, tokensOf } from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { cleanLine } from "../text/clean-text";

export type CallbackQuery = { state?: string; code?: string; iss?: string; error?: string; error_description?: string };
export type Finished = { outcome: McpSignInOutcome; serverId: string | null };

/**
 * Finishes a sign-in after the browser came back: checks state, person, session and issuer, exchanges the code and stores
 * the tokens. Every replica then connects. A failure stands in the server's row, or the person's, as its last error.
 */
export async function finishAuthorization(actor: Actor | null, sessionId: string | null, query: CallbackQuery): Promise<Finished> {
  const taken = await takeRequest(actor, sessionId, query.state);
  if ("outcome" in taken) return taken;
  const { request, serverId } = taken;
  try {
    await saveSignIn(taken.actor, serverId, request, await redeem(request, query));
  } catch (error) {
    await saveReason(taken.actor, serverId, request, reasonOf(error, request));
    return { outcome: "failed", serverId };
  }
  void mcpConnections().follow(taken.actor.workspaceId);
  return { outcome: "connected", serverId };
}

type Taken = { actor: Actor; serverId: string; request: SignInRequest };

/** Takes the begun sign-in of this state, once. A state of another person or session is refused and stays theirs. */
async function takeRequest(actor: Actor | null, sessionId: string | null, state: string | undefined): Promise<Taken | Finished> {
  const mayFinish = actor && (actor.permissions.has("mcp:write") || actor.permissions.has("turns:write"));
  if (!mayFinish || !sessionId) return { outcome: "not_yours", serverId: null };
  if (!state) return { outcome: "expired", serverId: null };
  return db().transaction(async (tx) => {
    const [ofWorkspace, ofPerson] = [mcpAuthorizations, mcpPersonSignIns];
    const row = (await findBegun(tx, ofWorkspace, actor.workspaceId, state)) ?? (await findBegun(tx, ofPerson, actor.workspaceId, state));
    const request = row && openJson(SignInRequest, row.requestSealed);
    if (!row || !request) return { outcome: "expired", serverId: null };
    const { serverId } = row;
    const isTheirs = request.personId === actor.personId && request.sessionId === sessionId;
    if (!isTheirs || !actor.permissions.has(request.isPersonal ? "turns:write" : "mcp:write")) return { outcome: "not_yours", serverId };
    const holder = { serverId, workspaceId: actor.workspaceId, personId: request.isPersonal ? actor.personId : null };
    await saveSignInColumns(tx, holder, { stateHash: null, requestSealed: null, requestExpiresAt: null });
    return row.isFresh ? { actor, serverId, request } : { outcome: "expired", serverId };
  });
}

async function findBegun(tx: Db, table: typeof mcpAuthorizations | typeof mcpPersonSignIns, workspaceId: string, state: string) {
  const { serverId, requestSealed, requestExpiresAt } = table;
  const [row] = await tx
    .select({ serverId, requestSealed, isFresh: sql<boolean>`${requestExpiresAt} > now()` })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.stateHash, sha256(state))))
    .for("update");
  return row;
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
  const tokens: StoredTokens = {
    accessToken: issued.access_token,
    refreshToken: issued.refresh_token ?? null,
    // An omitted scope means: granted as asked for.
    scope: issued.scope ?? request.scope,
    grant: "authorization_code",
    serverUrl: request.serverUrl,
    resource: request.resource,
    metadata: request.metadata,
    client: request.client,
  };
  await storeSignIn(actor, serverId, { tokens, issued, isPersonal: request.isPersonal });
}

async function saveReason(actor: Actor, serverId: string, { isPersonal }: SignInRequest, sentence: string): Promise<void> {
  if (isPersonal) {
    const { isHeld } = tokensOf({ serverId, personId: actor.personId });
    await db().update(mcpPersonSignIns).set({ lastError: sentence }).where(isHeld);
    return;
  }
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
