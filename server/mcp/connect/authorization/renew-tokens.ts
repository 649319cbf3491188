import "server-only";
import { OAuthError, OAuthErrorCode, type OAuthTokens, refreshAuthorization } from "@modelcontextprotocol/client";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { chooseLister } from "./choose-lister";
import { hostOf } from "./discover";
import { oauthFetch } from "./oauth-fetch";
import { requestClientToken } from "./request-client-token";
import { withoutSecretParts } from "./server-address";
import {
  findSignIn,
  forgetTokens,
  type Holder,
  openJson,
  StoredTokens,
  saveAuthorization,
  saveSignInColumns,
  tokenColumns,
  tokensOf,
} from "./stored-authorization";

/** An access token as a connection uses it. `renewInMs`: time left before it is renewed; null: only after a 401. */
export type AccessToken = { token: string; generation: number; renewInMs: number | null };

export type Renewal =
  | { kind: "renewed"; access: AccessToken }
  /** Nobody is signed in, or the authorization server refused the renewal. */
  | { kind: "signed_out" }
  /** The authorization server cannot be reached; the sign-in may still be good. */
  | { kind: "unavailable"; sentence: string };

const lockMilliseconds = 15_000;

/** Reads the token that was issued for this address; null when there is none, also when the address has changed. */
export async function readAccessToken(tx: Db, holder: Holder, serverUrl: string): Promise<AccessToken | null> {
  const { table, isHeld } = tokensOf(holder);
  const [row] = await tx
    .select({
      sealed: table.tokensSealed,
      generation: table.generation,
      renewInMs: sql<string | null>`extract(epoch from ${table.renewAt} - now()) * 1000`,
    })
    .from(table)
    .where(isHeld);
  const tokens = openJson(StoredTokens, row?.sealed);
  if (!row || tokens?.serverUrl !== serverUrl) return null;
  return { token: tokens.accessToken, generation: row.generation, renewInMs: row.renewInMs === null ? null : Number(row.renewInMs) };
}

/**
 * Renews the token of a holder, once for all calls and replicas: the row is locked meanwhile, and whoever waited takes the
 * token that the first one stored. `used`: generation of the token that is too old.
 */
export function renewTokens(holder: Holder, serverUrl: string, used: number): Promise<Renewal> {
  const { serverId, personId } = holder;
  const key = `${serverId} ${personId} ${used}`;
  const running = renewals().get(key);
  if (running) return running;
  const started = renew(holder, serverUrl, used)
    .then((outcome) => (outcome.kind === "refused" ? signOut(holder, used, outcome) : outcome))
    .catch((error): Renewal => {
      log().warn({ err: error, server: serverId }, "the token of an MCP server could not be renewed");
      return { kind: "unavailable", sentence: "The sign-in could not be renewed. Try again later." };
    })
    .finally(() => renewals().delete(key));
  renewals().set(key, started);
  return started;
}

const renewals = () => processWide("mcp.renewals", () => new Map<string, Promise<Renewal>>());

/** `refused`: the sign-in is over. It is stored after the row is free, because all others lock the server's row first. */
type Attempt = Renewal | { kind: "refused"; reason: string; isClientGone: boolean };

function renew(holder: Holder, serverUrl: string, used: number): Promise<Attempt> {
  return db().transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = ${lockMilliseconds}`));
    const row = await findSignIn(tx, holder, { lock: true });
    const tokens = openJson(StoredTokens, row?.tokensSealed);
    if (!row || tokens?.serverUrl !== serverUrl) return { kind: "signed_out" };
    if (row.generation === used) {
      const asked = nextTokens(tokens);
      if (!asked) return { kind: "refused", reason: "Its token expired, and it cannot be renewed.", isClientGone: false };
      const issued = await asked.catch((error: unknown) => ({ error }));
      if ("error" in issued) return refusalOf(holder.serverId, tokens, issued.error);
      const renewed: StoredTokens = {
        ...tokens,
        accessToken: issued.access_token,
        refreshToken: issued.refresh_token ?? tokens.refreshToken,
        scope: issued.scope ?? tokens.scope,
      };
      await saveSignInColumns(tx, { ...holder, workspaceId: row.workspaceId }, tokenColumns(renewed, issued.expires_in));
    }
    const access = await readAccessToken(tx, holder, serverUrl);
    return access ? { kind: "renewed", access } : { kind: "signed_out" };
  });
}

/** Asks for the next tokens; null when nothing can renew these. */
function nextTokens(tokens: StoredTokens): Promise<OAuthTokens> | null {
  if (tokens.grant === "client_credentials") return requestClientToken(tokens);
  const { metadata, client, resource, serverUrl, refreshToken } = tokens;
  if (!refreshToken) return null;
  return refreshAuthorization(metadata.issuer, {
    metadata,
    clientInformation: client.information,
    refreshToken,
    resource,
    fetchFn: oauthFetch(withoutSecretParts(new URL(serverUrl))),
  });
}

const temporary = new Set<string>([OAuthErrorCode.ServerError, OAuthErrorCode.TemporarilyUnavailable, OAuthErrorCode.TooManyRequests]);

function refusalOf(serverId: string, { metadata, client }: StoredTokens, error: unknown): Attempt {
  const host = hostOf(metadata.issuer);
  if (!OAuthError.isInstance(error) || temporary.has(error.code)) {
    log().warn({ server: serverId, reason: toErrorMessage(error) }, "an authorization server did not renew a token");
    return { kind: "unavailable", sentence: `${host} did not renew the sign-in. Try again later.` };
  }
  const isClientGone = error.code === OAuthErrorCode.InvalidClient || error.code === OAuthErrorCode.UnauthorizedClient;
  return { kind: "refused", reason: `${host} refused to renew it.`, isClientGone: isClientGone && client.kind === "registered" };
}

/** Ends a sign-in that cannot be renewed, unless somebody signed in again meanwhile. */
function signOut(holder: Holder, used: number, { reason, isClientGone }: { reason: string; isClientGone: boolean }): Promise<Renewal> {
  const { serverId, personId } = holder;
  return db().transaction(async (tx): Promise<Renewal> => {
    const [server] = await tx.select().from(mcpServers).where(eq(mcpServers.id, serverId)).for("update");
    const row = await findSignIn(tx, holder, { lock: true });
    if (!server || row?.generation !== used || row.tokensSealed === null) return { kind: "signed_out" };
    await forgetTokens(tx, holder);
    if (isClientGone) await saveAuthorization(tx, server, { clientSealed: null });
    const issuer = openJson(StoredTokens, row.tokensSealed)?.metadata.issuer ?? null;
    if (personId === null)
      await tx.update(mcpServers).set({ authorization: null, updatedAt: sql`updated_at` }).where(eq(mcpServers.id, serverId));
    await chooseLister(tx, serverId);
    await recordConfigChange(tx, {
      workspaceId: server.workspaceId,
      event: "mcp_server.signed_out",
      actor: systemActor,
      subject: server.alias,
      data: { issuer, reason, ...(personId === null ? {} : { personId }) },
    });
    return { kind: "signed_out" };
  });
}
