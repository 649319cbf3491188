import "server-only";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { ApiKey } from "@/contracts/identity/identity";
import type { Db } from "@/db/client";
import { apiKeys } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import type { Actor, Authorized } from "../actor";
import { forgetActors } from "../actor-cache";
import { announceAccessEnded } from "../sign-in/sessions";
import { presentApiKey } from "./present-api-key";

/** Revokes a key for good. A second revocation changes nothing. @throws AppError `not_found`. */
export async function revokeApiKey(actor: Authorized<"admin">, keyId: string): Promise<ApiKey> {
  const key = await db().transaction(async (tx) => {
    const [found] = await tx
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.workspaceId, actor.workspaceId), eq(apiKeys.id, keyId)))
      .for("update");
    if (!found) throw new AppError("not_found", "There is no such API key in this workspace. See GET /api/v1/api-keys.");
    if (found.revokedAt) return found;

    const [revoked] = await revokeWhere(tx, actor, eq(apiKeys.id, keyId));
    if (!revoked) throw new Error("The key was not updated");
    await announceAccessEnded(tx);
    return revoked;
  });
  forgetActors();
  return presentApiKey(key);
}

/** SQL that selects the usable keys that a person has made, and so may know. */
export const usableKeysOf = (workspaceId: string, personId: string): SQL =>
  sql`${apiKeys.workspaceId} = ${workspaceId}::uuid and ${apiKeys.revokedAt} is null and ${apiKeys.createdBy} ->> 'id' = ${personId}`;

/** Revokes every key that a person has made. The caller announces that access has ended. */
export async function revokeKeysOf(tx: Db, actor: Actor, personId: string): Promise<void> {
  await revokeWhere(tx, actor, usableKeysOf(actor.workspaceId, personId));
}

async function revokeWhere(tx: Db, actor: Actor, which: SQL) {
  const revoked = await tx.update(apiKeys).set({ revokedAt: sharedNow() }).where(which).returning();
  for (const { id: subject, name, prefix } of revoked) {
    const { workspaceId, requestId } = actor;
    await recordConfigChange(tx, { workspaceId, event: "api_key.revoked", actor, subject, data: { name, prefix }, requestId });
  }
  return revoked;
}
