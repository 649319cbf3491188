import "server-only";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { grants } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { policyChanged } from "@/server/policy/policy";
import { grantsChanged } from "./write-grant";

/**
 * Revokes a grant; `listGrants` still lists it.
 * @throws AppError `not_found`; `forbidden` unless the actor gave the grant or is an admin; `conflict` when already revoked
 */
export async function revokeGrant(actor: Authorized<"approvals:decide">, grantId: string): Promise<Record<string, never>> {
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
      .set({ revokedAt: sharedNow(), revokedBy: toActorRef(actor) })
      .where(eq(grants.id, grantId));
    await grantsChanged(tx, actor, "grant.revoked", [grant]);
  });
  policyChanged(workspaceId);
  return {};
}

/** Revokes the grants of a conversation that ends. Call `policyChanged` after the transaction. */
export async function endConversationGrants(tx: Db, conversationId: string, actor: Actor): Promise<void> {
  const ended = await tx
    .update(grants)
    .set({ revokedAt: sharedNow(), revokedBy: toActorRef(actor) })
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
