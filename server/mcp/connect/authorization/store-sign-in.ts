import "server-only";
import { OAuthError, type OAuthTokens } from "@modelcontextprotocol/client";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { McpAuthorization } from "@/contracts/mcp/mcp-servers";
import { mcpPersonSignIns, mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { chooseLister } from "./choose-lister";
import { serverAddress } from "./server-address";
import { type StoredTokens, saveAuthorization, saveSignInColumns, sealJson, tokenColumns, tokensOf } from "./stored-authorization";

type SignIn = { tokens: StoredTokens; issued: OAuthTokens; isPersonal: boolean };

/**
 * Stores the tokens of a sign-in, for the workspace or for the actor alone, so that every replica connects with them.
 * @throws OAuthError when the tokens are no bearer tokens, or the server's address has changed meanwhile
 */
export async function storeSignIn(actor: Actor, serverId: string, { tokens, issued, isPersonal }: SignIn): Promise<void> {
  if (issued.token_type.toLowerCase() !== "bearer") throw new OAuthError("unsupported_token_type", issued.token_type);
  const { client, scope, resource, grant } = tokens;
  const { issuer } = tokens.metadata;
  await db().transaction(async (tx) => {
    const [server] = await tx
      .select()
      .from(mcpServers)
      .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.id, serverId)))
      .for("update");
    if (!server) throw new AppError("not_found", "This server was removed meanwhile.");
    if (serverAddress(server).href !== tokens.serverUrl) throw new OAuthError("invalid_target", "the server's address has changed");
    const holder = { serverId, workspaceId: actor.workspaceId, personId: isPersonal ? actor.personId : null };
    await saveAuthorization(tx, server, {
      clientSealed: client.kind === "document" ? null : sealJson(client),
      ...(isPersonal ? {} : { challenge: null }),
    });
    await saveSignInColumns(tx, holder, tokenColumns(tokens, issued.expires_in));
    const authorization = signedInNow({ id: newId(), issuer, scope, neededScope: null, signedInBy: actor.name });
    if (isPersonal) {
      await tx.update(mcpPersonSignIns).set({ authorization, lastError: null }).where(tokensOf(holder).isHeld);
    } else {
      await tx
        .update(mcpServers)
        .set({
          authorization,
          ...(server.enabled ? { status: "connecting" as const } : {}),
          lastError: null,
          lastStderr: null,
          version: sql`${mcpServers.version} + 1`,
        })
        .where(eq(mcpServers.id, serverId));
    }
    await chooseLister(tx, serverId);
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.signed_in",
      actor: toActorRef(actor),
      subject: server.alias,
      data: { issuer, resource, scope, grant, ...(isPersonal ? { personId: actor.personId } : {}) },
      requestId: actor.requestId,
    });
  });
}

/** Adds the database's time, which all replicas share. */
const signedInNow = (authorization: { id: string } & Omit<McpAuthorization, "signedInAt">): SQL =>
  sql`${JSON.stringify(authorization)}::jsonb || jsonb_build_object('signedInAt', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
