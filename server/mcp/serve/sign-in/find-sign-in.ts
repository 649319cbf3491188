import "server-only";
import { and, eq, isNull, sql } from "drizzle-orm";
import { rolePermissions, withImplied } from "@/contracts/permissions";
import { apiKeys, mcpClientSignIns, memberships } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/** A sign-in that has not been revoked, of a person who may still submit turns. */
export type SignIn = typeof mcpClientSignIns.$inferSelect & {
  workspaceId: string;
  keyName: string;
  /** The code has expired. */
  isCodeOld: boolean;
  /** The current refresh token is older than a minute. */
  isSettled: boolean;
  /** Nobody has renewed it for 90 days. */
  isIdle: boolean;
};

/** Finds a sign-in; null when it has ended, or its person has left or may not submit turns any more. */
export async function findSignIn(id: string): Promise<SignIn | null> {
  const [row] = await db()
    .select({
      signIn: mcpClientSignIns,
      workspaceId: apiKeys.workspaceId,
      keyName: apiKeys.name,
      role: memberships.role,
      isCodeOld: sql<boolean>`${mcpClientSignIns.createdAt} < now() - interval '1 minute'`,
      isSettled: sql<boolean>`${mcpClientSignIns.rotatedAt} < now() - interval '1 minute'`,
      isIdle: sql<boolean>`${mcpClientSignIns.rotatedAt} < now() - interval '90 days'`,
    })
    .from(mcpClientSignIns)
    .innerJoin(apiKeys, and(eq(apiKeys.id, mcpClientSignIns.apiKeyId), isNull(apiKeys.revokedAt)))
    .innerJoin(memberships, and(eq(memberships.userId, mcpClientSignIns.userId), eq(memberships.workspaceId, apiKeys.workspaceId)))
    .where(eq(mcpClientSignIns.id, id));
  if (!row || !withImplied(rolePermissions[row.role]).has("turns:write")) return null;
  const { signIn, role: _, ...more } = row;
  return { ...signIn, ...more };
}
