import "server-only";
import type { McpClientSignInDraft } from "@/contracts/mcp/mcp-client-sign-ins";
import { mcpClientSignIns } from "@/db/schema";
import { record } from "@/server/audit/record";
import type { Authorized } from "@/server/auth/actor";
import { insertApiKey } from "@/server/auth/api-keys/create-api-key";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { redirectWith } from "./authorization-request";
import { ownsRedirect, readClient } from "./client-id";
import { newCode } from "./tokens";

/**
 * Allows a client to use an agent's tools in the name of the signed-in person, and returns the client's address with a
 * one-time code. The client gets an API key of its own, which stands in Settings and can be revoked there.
 * @throws AppError `forbidden` for a caller that is no person, `invalid` for a client or an address that is not registered
 */
export async function allowClient(actor: Authorized<"turns:write">, draft: McpClientSignInDraft): Promise<{ redirectTo: string }> {
  if (actor.type !== "user")
    throw new AppError("forbidden", "Only a signed-in person can allow a client. An API key is a credential already.");
  const client = readClient(draft.clientId);
  if (!client) throw refusal("clientId", "This client is not registered here.");
  if (!ownsRedirect(client, draft.redirectUri)) throw refusal("redirectUri", "The client did not register this address.");
  const signInId = await db().transaction(async (tx) => {
    const { row } = await insertApiKey(tx, actor, { name: client.name, scopes: ["turns:write", "tools:read"], agentId: draft.agentId });
    const [signIn] = await tx
      .insert(mcpClientSignIns)
      .values({
        userId: actor.id,
        apiKeyId: row.id,
        clientHash: sha256(client.id),
        redirectUri: draft.redirectUri,
        codeChallenge: draft.codeChallenge,
      })
      .returning({ id: mcpClientSignIns.id });
    if (!signIn) throw new Error("The sign-in was not inserted");
    await record(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_client.allowed",
      actor,
      subject: row.id,
      data: { client: client.name, agentId: draft.agentId, redirectHost: new URL(draft.redirectUri).host },
      requestId: actor.requestId,
    });
    return signIn.id;
  });
  return { redirectTo: redirectWith(draft.redirectUri, { code: newCode(signInId), state: draft.state }) };
}

function refusal(path: string, message: string): AppError {
  return new AppError("invalid", message, { errors: [{ path, message }] });
}
