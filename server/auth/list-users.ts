import "server-only";
import { and, asc, eq, gt } from "drizzle-orm";
import type { User } from "@/contracts/identity";
import { memberships, users } from "@/db/schema";
import { decodeCursor, IdCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import type { Holder } from "./actor";
import { presentUser } from "./present-user";

type Page = { limit: number; cursor?: string | undefined };

/** Members of the workspace, the longest known first. */
export async function listUsers(
  actor: Holder<"admin">,
  { limit, cursor }: Page,
): Promise<{ items: User[]; nextCursor: string | null; total: number }> {
  const mine = eq(memberships.workspaceId, actor.workspaceId);
  const later = cursor ? gt(users.id, decodeCursor(cursor, IdCursor)[0]) : undefined;
  const found = await db()
    .select({ user: users, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(mine, later))
    .orderBy(asc(users.id))
    .limit(limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ user }) => [user.id]);
  return { items: rows.map(({ user, role }) => presentUser(user, role)), nextCursor, total: await db().$count(memberships, mine) };
}
