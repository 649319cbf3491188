import "server-only";
import { and, eq } from "drizzle-orm";
import { memberships, sessions } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Authorized } from "../actor";
import { forgetActors } from "../actor-cache";
import { announceAccessEnded } from "../sign-in/sessions";
import { lockMember, refuseManaging } from "./members";

/**
 * Removes a member from the workspace at once. The user's row stays, for the audit and for other workspaces.
 * @throws AppError `not_found`, `conflict` for the actor itself and for the last owner, `forbidden` for an owner when the
 * actor is not an owner.
 */
export async function removeUser(actor: Authorized<"admin">, userId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const { user, role, isLastOwner } = await lockMember(tx, actor, userId);
    refuseManaging(actor, { had: role });
    if (isLastOwner) throw new AppError("conflict", `${user.name} is the only owner. Make somebody else an owner first.`);
    if (actor.id === userId) throw new AppError("conflict", "You cannot remove yourself. Ask another admin of the workspace.");
    await tx.delete(memberships).where(and(eq(memberships.workspaceId, actor.workspaceId), eq(memberships.userId, userId)));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "user.removed",
      actor,
      subject: userId,
      data: { email: user.email, name: user.name, role },
      requestId: actor.requestId,
    });
    await tx.delete(sessions).where(and(eq(sessions.workspaceId, actor.workspaceId), eq(sessions.userId, userId)));
    await announceAccessEnded(tx);
  });
  forgetActors();
}
