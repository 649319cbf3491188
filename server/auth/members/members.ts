import "server-only";
import { and, eq } from "drizzle-orm";
import { type Role, rolePermissions } from "@/contracts/permissions";
import type { Db } from "@/db/client";
import { memberships, users } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { Actor } from "../actor";

export type Member = { user: typeof users.$inferSelect; role: Role };

/**
 * Loads a member of the actor's workspace and locks the member and all owners until the transaction ends, so that two
 * concurrent changes cannot remove the last owner together.
 * @throws AppError `not_found`
 */
export async function lockMember(tx: Db, actor: Actor, userId: string): Promise<Member & { isLastOwner: boolean }> {
  const owners = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, actor.workspaceId), eq(memberships.role, "owner")))
    .orderBy(memberships.userId)
    .for("update");
  const [member] = await tx
    .select({ user: users, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, actor.workspaceId), eq(memberships.userId, userId)))
    .for("update");
  if (!member) throw new AppError("not_found", "There is no such member in this workspace. See GET /api/v1/users.");
  return { ...member, isLastOwner: member.role === "owner" && owners.length === 1 };
}

/**
 * Refuses a role with more permissions than the actor has, and refuses any change of owners by an actor who is not an
 * owner. API keys have no role and count as admins.
 * @throws AppError `forbidden`
 */
export function refuseManaging(actor: Actor, { had, given }: { had?: Role; given?: Role }): void {
  if ((had === "owner" || given === "owner") && actor.role !== "owner") {
    throw new AppError("forbidden", "Only an owner may make, change or remove owners. Ask an owner of the workspace.");
  }
  const beyond = given ? rolePermissions[given].filter((permission) => !actor.permissions.has(permission)) : [];
  if (beyond.length > 0) throw new AppError("forbidden", `You cannot grant permissions that you do not have: ${beyond.join(", ")}.`);
}
