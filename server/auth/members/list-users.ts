import "server-only";
import { and, asc, eq, gt } from "drizzle-orm";
import type { User } from "@/contracts/identity/identity";
import { memberships, users } from "@/db/schema";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import type { Authorized } from "../actor";
import { presentUser } from "./present-user";

type Page = { limit: number; cursor?: string | undefined };

/** Lists the members of the workspace, oldest first. */
export async function listUsers(
  actor: Authorized<"admin">,
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
  const { rows, nextCursor } = toPage(found, limit, ({ user }) => [user.id]);
  return { items: rows.map(({ user, role }) => presentUser(user, role)), nextCursor, total: await db().$count(memberships, mine) };
}
