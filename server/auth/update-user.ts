import "server-only";
import { and, eq, ne } from "drizzle-orm";
import type { User, UserPatch } from "@/contracts/identity";
import { memberships, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { Holder } from "./actor";
import { forgetActors } from "./actor-cache";
import { lockMember, refuseManaging } from "./members";
import { ownLimitsOf, refuseMakingOperators } from "./own-limits";
import { hashPassword } from "./password";
import { presentUser } from "./present-user";

/**
 * Changes a member's name, role or password; a new password ends all sessions and tokens of the person.
 * @throws AppError `not_found`, `forbidden` for an owner and an actor who is none and for a member who
 * may do more than the actor, `conflict` for the last owner's role
 * and for the password of somebody who is a member elsewhere too.
 */
export async function updateUser(actor: Holder<"admin">, userId: string, patch: UserPatch): Promise<User> {
  const passwordHash = patch.password === undefined ? undefined : await hashPassword(patch.password);
  const changed = await db().transaction(async (tx) => {
    const { user, role, isLastOwner } = await lockMember(tx, actor, userId);
    refuseManaging(actor, { had: role, given: patch.role });
    const newRole = patch.role ?? role;
    if (newRole !== role || passwordHash !== undefined) refuseMakingOperators(await ownLimitsOf(tx, actor), newRole);
    if (isLastOwner && newRole !== "owner") {
      throw new AppError("conflict", `${user.name} is the only owner. Make somebody else an owner first.`);
    }
    if (patch.name !== undefined || passwordHash !== undefined) {
      const [elsewhere] = await tx
        .select({ workspaceId: memberships.workspaceId })
        .from(memberships)
        .where(and(eq(memberships.userId, userId), ne(memberships.workspaceId, actor.workspaceId)))
        .limit(1);
      if (elsewhere && actor.id !== userId) {
        throw new AppError("conflict", `${user.name} belongs to another workspace too, so only they can change their name and password.`);
      }
    }
    if (newRole !== role) {
      await tx
        .update(memberships)
        .set({ role: newRole })
        .where(and(eq(memberships.workspaceId, actor.workspaceId), eq(memberships.userId, userId)));
    }
    const [saved] = await tx
      .update(users)
      .set({ name: patch.name ?? user.name, passwordHash: passwordHash ?? user.passwordHash })
      .where(eq(users.id, userId))
      .returning();
    if (!saved) throw new Error("The user was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "user.updated",
      actor,
      subject: userId,
      data: {
        email: user.email,
        ...(newRole === role ? {} : { role: { from: role, to: newRole } }),
        ...(saved.name === user.name ? {} : { name: { from: user.name, to: saved.name } }),
        ...(passwordHash === undefined ? {} : { passwordChanged: true }),
      },
      requestId: actor.requestId,
    });
    return presentUser(saved, newRole);
  });
  forgetActors();
  return changed;
}
