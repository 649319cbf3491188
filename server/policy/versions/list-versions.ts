import "server-only";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { GuardVersion } from "@/contracts/guard/guard";
import { guardVersions } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";

const VersionCursor = z.tuple([z.int32()]);

/** Lists the versions of the workspace's policy, newest first. */
export async function listVersions(
  actor: Authorized<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: GuardVersion[]; nextCursor: string | null }> {
  const before = cursor === undefined ? undefined : lt(guardVersions.version, decodeCursor(cursor, VersionCursor)[0]);
  const { version, summary, actor: by, createdAt } = guardVersions;
  const found = await db()
    .select({
      version,
      summary,
      actor: by,
      createdAt,
      rules: sql<number>`coalesce(${guardVersions.ruleCount}, jsonb_array_length(${guardVersions.snapshot} -> 'rules'))`,
    })
    .from(guardVersions)
    .where(and(eq(guardVersions.workspaceId, actor.workspaceId), before))
    .orderBy(desc(guardVersions.version))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.version]);
  return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), nextCursor };
}
