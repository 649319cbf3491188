import "server-only";
import { and, eq, gt, sql } from "drizzle-orm";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { memberships, sessions, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { Actor } from "./actor";
import { rememberActor } from "./actor-cache";
import { passwordFingerprint, type UserClaims } from "./sign-in/user-claims";

/**
 * Finds the member of a session's claims, with the member's current role. Returns null when the session has ended, the
 * person was removed from the workspace, or the password has changed.
 */
export async function actorFromUser(claims: UserClaims, requestId: string | null): Promise<Actor | null> {
  const member = await rememberActor(`member ${claims.workspace} ${claims.sub} ${claims.session}`, () => findMember(claims));
  if (!member || member.passwordMark !== claims.password) return null;
  return {
    type: "user",
    id: claims.sub,
    name: member.name,
    workspaceId: claims.workspace,
    role: member.role,
    permissions: member.permissions,
    agentId: null,
    personId: claims.sub,
    requestId,
  };
}

async function findMember({ sub, workspace, session }: UserClaims) {
  const [row] = await db()
    .select({ name: users.name, role: memberships.role, passwordHash: users.passwordHash })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(
      sessions,
      and(
        eq(sessions.workspaceId, memberships.workspaceId),
        eq(sessions.userId, memberships.userId),
        eq(sessions.id, session),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
    .where(and(eq(memberships.workspaceId, workspace), eq(memberships.userId, sub)));
  if (!row) return null;
  const permissions = withImplied(rolePermissions[row.role]);
  return { name: row.name, role: row.role, permissions, passwordMark: passwordFingerprint(row.passwordHash) };
}
