import "server-only";
import { eq, sql } from "drizzle-orm";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { mcpServers, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { chooseLister } from "../authorization/choose-lister";
import { revokeTokens } from "../authorization/revoke-tokens";
import { forgetTokens } from "../authorization/stored-authorization";
import { mcpConnections } from "../connections/connections";
import { countTools, findServer } from "./find-server";
import { findPersonSignIn } from "./person-sign-ins";
import { presentServer } from "./present-server";

/**
 * Signs out of a server: forgets the tokens, then revokes them where the authorization server can. Its tools stay listed.
 * @throws AppError `conflict` when nobody is signed in
 */
export async function endAuthorization(actor: Authorized<"mcp:write">, serverId: string): Promise<McpServer> {
  const { shown, tokens } = await db().transaction(async (tx) => {
    const server = await findServer(tx, actor.workspaceId, serverId, { lock: true });
    if (!server.authorization?.id) throw new AppError("conflict", `Nobody is signed in to ${server.alias}.`);
    const tokens = await forgetTokens(tx, { serverId, personId: null });
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
    await chooseLister(tx, serverId);
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
  if (tokens) await revokeTokens(tokens);
  return shown;
}

/**
 * Signs a person out of a server where each person signs in: oneself, or anybody for admins of servers. The next call of that person
 * fails at once, also where the authorization server revokes nothing.
 * @throws AppError `forbidden` for somebody else's sign-in, `conflict` when that person is not signed in
 */
export async function endPersonalSignIn(
  actor: Authorized<"turns:write">,
  serverId: string,
  personId: string,
): Promise<Record<string, never>> {
  const isOwn = actor.type === "user" && actor.personId === personId;
  if (!isOwn && !actor.permissions.has("mcp:write"))
    throw new AppError("forbidden", "This is the sign-in of somebody else. That person or an admin of the workspace can end it.");
  const tokens = await db().transaction(async (tx) => {
    const server = await findServer(tx, actor.workspaceId, serverId, { lock: true });
    const signIn = await findPersonSignIn(tx, serverId, personId);
    if (!signIn?.authorization) throw new AppError("conflict", `This person is not signed in to ${server.alias}.`);
    const tokens = await forgetTokens(tx, { serverId, personId });
    await chooseLister(tx, serverId);
    const [person] = await tx.select({ name: users.name }).from(users).where(eq(users.id, personId));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.signed_out",
      actor: toActorRef(actor),
      subject: server.alias,
      data: { issuer: signIn.authorization.issuer, reason: `The sign-in of ${person?.name ?? personId} was disconnected.`, personId },
      requestId: actor.requestId,
    });
    return tokens;
  });
  void mcpConnections().follow(actor.workspaceId);
  if (tokens) await revokeTokens(tokens);
  return {};
}
