import "server-only";
import { selectClientAuthMethod } from "@modelcontextprotocol/client";
import { eq, sql } from "drizzle-orm";
import type { McpServer } from "@/contracts/mcp-servers";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { oauthFetch } from "../authorization/oauth-fetch";
import { withoutSecretParts } from "../authorization/server-address";
import { forgetTokens, type StoredTokens } from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { countTools, findServer } from "./find-server";
import { presentServer } from "./present-server";

/**
 * Signs out of a server: forgets the tokens, then revokes them where the authorization server can. Its tools stay listed.
 * @throws AppError `conflict` when nobody is signed in
 */
export async function endAuthorization(actor: Authorized<"mcp:write">, serverId: string): Promise<McpServer> {
  const { shown, tokens } = await db().transaction(async (tx) => {
    const server = await findServer(tx, actor.workspaceId, serverId, { lock: true });
    if (!server.authorization?.id) throw new AppError("conflict", `Nobody is signed in to ${server.alias}.`);
    const tokens = await forgetTokens(tx, serverId);
    const [row] = await tx
      .update(mcpServers)
      .set({
        authorization: null,
        ...(server.enabled ? { status: "connecting" as const } : {}),
        lastError: null,
        version: sql`${mcpServers.version} + 1`,
      })
      .where(eq(mcpServers.id, serverId))
      .returning();
    if (!row) throw new Error("The server was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.signed_out",
      actor: toActorRef(actor),
      subject: server.alias,
      data: { issuer: server.authorization.issuer, reason: "A person disconnected it." },
      requestId: actor.requestId,
    });
    return { shown: presentServer(row, await countTools(tx, serverId), actor), tokens };
  });
  void mcpConnections().follow(actor.workspaceId);
  if (tokens) await revoke(tokens);
  return shown;
}

/** Tells the authorization server that the tokens are of no use any more (RFC 7009). A failure changes nothing here. */
async function revoke({ metadata, client, serverUrl, refreshToken, accessToken }: StoredTokens): Promise<void> {
  const endpoint = "revocation_endpoint" in metadata ? metadata.revocation_endpoint : null;
  if (typeof endpoint !== "string" || !URL.canParse(endpoint)) return;
  const fetchFn = oauthFetch(withoutSecretParts(new URL(serverUrl)));
  const method = selectClientAuthMethod(client.information, metadata.token_endpoint_auth_methods_supported ?? []);
  const tokens = [...(refreshToken ? [["refresh_token", refreshToken]] : []), ["access_token", accessToken]];
  const { client_id, client_secret = "" } = client.information;
  for (const [token_type_hint = "", token = ""] of tokens) {
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    const body = new URLSearchParams({ token, token_type_hint });
    if (method === "client_secret_basic") headers.set("authorization", basic(client_id, client_secret));
    else body.set("client_id", client_id);
    if (method === "client_secret_post") body.set("client_secret", client_secret);
    await fetchFn(endpoint, { method: "POST", headers, body }).catch((error) =>
      log().warn({ reason: toErrorMessage(error) }, "a token could not be revoked"),
    );
  }
}

const basic = (...parts: string[]): string => `Basic ${Buffer.from(parts.map(encodeURIComponent).join(":")).toString("base64")}`;
