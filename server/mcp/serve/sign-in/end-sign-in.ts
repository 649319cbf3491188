import "server-only";
import { eq, sql } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { forgetActors } from "@/server/auth/actor-cache";
import { announceAccessEnded } from "@/server/auth/sign-in/sessions";
import { db } from "@/server/platform/database/database";
import { findSignIn, type SignIn } from "./find-sign-in";
import { readAccessToken, readRefreshToken } from "./tokens";

/** Ends a sign-in: its API key is revoked, and open streams end. */
export async function endSignIn(
  signIn: SignIn,
  event: "mcp_client.signed_out" | "mcp_client.reuse_refused",
  requestId: string,
): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.update(apiKeys).set({ revokedAt: sql`now()` }).where(eq(apiKeys.id, signIn.apiKeyId));
    await recordConfigChange(tx, {
      workspaceId: signIn.workspaceId,
      event,
      actor: { type: "api_key", id: signIn.apiKeyId, name: signIn.keyName },
      subject: signIn.apiKeyId,
      data: { client: signIn.keyName },
      requestId,
    });
    await announceAccessEnded(tx);
  });
  forgetActors();
}

/** Ends the sign-in of a token (RFC 7009). An unknown token is no error. */
export async function revokeToken(token: string, requestId: string): Promise<void> {
  const id = readRefreshToken(token)?.signInId ?? (await readAccessToken(token));
  const signIn = id === null ? null : await findSignIn(id);
  if (signIn) await endSignIn(signIn, "mcp_client.signed_out", requestId);
}
