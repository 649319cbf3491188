import "server-only";
import { and, eq, ne } from "drizzle-orm";
import type { User, UserPatch } from "@/contracts/identity/identity";
import { memberships, sessions, users } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Authorized } from "../actor";
import { forgetActors } from "../actor-cache";
import { loadActorLimits, refuseMakingOperators } from "../actor-limits";
import { assertStrongPassword } from "../sign-in/assert-strong-password";
import { hashPassword } from "../sign-in/password";
import { announceAccessEnded } from "../sign-in/sessions";
import { lockMember, refuseManaging } from "./members";
import { presentUser } from "./present-user";

/**
 * Changes a member's name, role or password; a new password ends all sessions and tokens of the person.
 * @throws AppError `not_found`; `forbidden` for an owner when the actor is not an owner, and for a member who may do more
 * than the actor; `conflict` for the last owner's role, and for the name or password of a member of another workspace;
 * `invalid` for a weak password, and for the actor's own password.
 */
export async function updateUser(actor: Authorized<"admin">, userId: string, patch: UserPatch): Promise<User> {
  if (patch.password !== undefined && actor.type === "user" && actor.id === userId) {
    throw new AppError("invalid", "Change your own password with PUT /api/v1/me/password, which needs the current password.");
  }
  if (patch.password !== undefined) await assertStrongPassword(patch.password, await namesOf(userId));
  const passwordHash = patch.password === undefined ? undefined : await hashPassword(patch.password);
  const changed = await db().transaction(async (tx) => {
    const { user, role, isLastOwner } = await lockMember(tx, actor, userId);
    refuseManaging(actor, { had: role, given: patch.role });
    const newRole = patch.role ?? role;
    if (newRole !== role || passwordHash !== undefined) refuseMakingOperators(await loadActorLimits(tx, actor), newRole);
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
    if (passwordHash !== undefined) await tx.delete(sessions).where(eq(sessions.userId, userId));
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
    await announceAccessEnded(tx);
    return presentUser(saved, newRole);
  });
  forgetActors();
  return changed;
}

async function namesOf(userId: string): Promise<string[]> {
  const [user] = await db().select({ name: users.name, email: users.email }).from(users).where(eq(users.id, userId));
  return user ? [user.name, user.email] : [];
}
