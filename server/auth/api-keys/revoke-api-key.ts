import "server-only";
import { and, eq } from "drizzle-orm";
import type { ApiKey } from "@/contracts/identity";
import { apiKeys } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { sharedNow } from "@/server/platform/shared-clock";
import type { Authorized } from "../actor";
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

    const [revoked] = await tx.update(apiKeys).set({ revokedAt: sharedNow() }).where(eq(apiKeys.id, keyId)).returning();
    if (!revoked) throw new Error("The key was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "api_key.revoked",
      actor,
      subject: revoked.id,
      data: { name: revoked.name, prefix: revoked.prefix },
      requestId: actor.requestId,
    });
    await announceAccessEnded(tx);
    return revoked;
  });
  forgetActors();
  return presentApiKey(key);
}
