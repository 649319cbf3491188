import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { grants } from "@/db/schema";
import { type Actor, type Holder, refOf } from "@/server/auth/actor";
import { policyChanged } from "@/server/guard/policy";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { grantsChanged } from "./write-grant";

/**
 * Ends a grant from now on; it stays listed as revoked.
 * @throws AppError `not_found`; `forbidden` for who neither gave it nor is an admin; `conflict` when it was revoked already
 */
export async function revokeGrant(actor: Holder<"approvals:decide">, grantId: string): Promise<Record<string, never>> {
  const { workspaceId } = actor;
  await db().transaction(async (tx) => {
    const [grant] = await tx
      .select()
      .from(grants)
      .where(and(eq(grants.id, grantId), eq(grants.workspaceId, workspaceId)))
      .for("update");
    if (!grant) throw new AppError("not_found", "This grant does not exist. GET /api/v1/grants lists them.");
    if (grant.grantedBy.id !== actor.id && !actor.permissions.has("admin")) {
      throw new AppError("forbidden", `Only ${grant.grantedBy.name}, who gave this grant, or an admin of the workspace can revoke it.`);
    }
    if (grant.revokedAt) throw new AppError("conflict", `This grant was revoked already by ${grant.revokedBy?.name ?? "Handrail"}.`);
    await tx
      .update(grants)
      .set({ revokedAt: new Date(), revokedBy: refOf(actor) })
      .where(eq(grants.id, grantId));
    await grantsChanged(tx, actor, "grant.revoked", [grant]);
  });
  policyChanged(workspaceId);
  return {};
}

/** Ends what was granted for a conversation, when the conversation ends. After the transaction call `policyChanged`. */
export async function endGrantsOf(tx: Db, conversationId: string, actor: Actor): Promise<void> {
  const ended = await tx
    .update(grants)
    .set({ revokedAt: new Date(), revokedBy: refOf(actor) })
    .where(
      and(
        eq(grants.workspaceId, actor.workspaceId),
        eq(grants.scope, "conversation"),
        eq(grants.scopeId, conversationId),
        isNull(grants.revokedAt),
      ),
    )
    .returning();
  await grantsChanged(tx, actor, "grant.revoked", ended);
}
