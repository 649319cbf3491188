import "server-only";
import { and, desc, eq, gt, isNotNull, isNull, lt, lte, or } from "drizzle-orm";
import type { Grant, GrantFilter } from "@/contracts/guard/grants";
import { grants } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { presentGrants } from "./present-grants";

type Page = { items: Grant[]; nextCursor: string | null; total: number };

/** Lists the grants of the workspace, newest first, including revoked and expired grants. */
export async function listGrants(
  actor: Authorized<"approvals:read">,
  { limit = 50, cursor, ...filter }: GrantFilter & { limit?: number; cursor?: string },
): Promise<Page> {
  const now = sharedNow();
  const covered = and(
    eq(grants.workspaceId, actor.workspaceId),
    filter.scope ? eq(grants.scope, filter.scope) : undefined,
    filter.tool ? eq(grants.tool, filter.tool) : undefined,
    filter.conversationId ? and(eq(grants.scope, "conversation"), eq(grants.scopeId, filter.conversationId)) : undefined,
    filter.active === true ? and(isNull(grants.revokedAt), or(isNull(grants.expiresAt), gt(grants.expiresAt, now))) : undefined,
    filter.active === false ? or(isNotNull(grants.revokedAt), lte(grants.expiresAt, now)) : undefined,
  );
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const [found, total] = await Promise.all([
    db()
      .select()
      .from(grants)
      .where(and(covered, after ? lt(grants.id, after) : undefined))
      .orderBy(desc(grants.id))
      .limit(limit + 1),
    db().$count(grants, covered),
  ]);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: await presentGrants(db(), rows), nextCursor, total };
}
