import "server-only";
import { and, eq } from "drizzle-orm";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { memberships, users } from "@/db/schema";
import { db } from "@/server/platform/database";
import type { Actor } from "./actor";
import { rememberActor } from "./actor-cache";
import { markOfPassword, type UserClaims } from "./user-claims";

/**
 * The member that claims speak of, with the role as it is now. Null when the person was removed from the workspace or
 * has another password since.
 */
export async function actorOfUser(claims: UserClaims, requestId: string | null): Promise<Actor | null> {
  const member = await rememberActor(`member ${claims.workspace} ${claims.sub}`, () => findMember(claims));
  if (!member || member.passwordMark !== claims.password) return null;
  return {
    type: "user",
    id: claims.sub,
    name: member.name,
    workspaceId: claims.workspace,
    role: member.role,
    permissions: member.permissions,
    agentId: null,
    requestId,
  };
}

async function findMember({ sub, workspace }: UserClaims) {
  const [row] = await db()
    .select({ name: users.name, role: memberships.role, passwordHash: users.passwordHash })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, workspace), eq(memberships.userId, sub)));
  if (!row) return null;
  const permissions = withImplied(rolePermissions[row.role]);
  return { name: row.name, role: row.role, permissions, passwordMark: markOfPassword(row.passwordHash) };
}
