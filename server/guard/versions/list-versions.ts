import "server-only";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { GuardVersion } from "@/contracts/guard";
import { guardVersions } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";

const VersionCursor = z.tuple([z.int32()]);

/** Versions of the workspace's policy, newest first. */
export async function listVersions(
  actor: Holder<"guard:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: GuardVersion[]; nextCursor: string | null }> {
  const before = cursor === undefined ? undefined : lt(guardVersions.version, decodeCursor(cursor, VersionCursor)[0]);
  const { version, summary, actor: by, createdAt } = guardVersions;
  const found = await db()
    .select({ version, summary, actor: by, createdAt, rules: sql<number>`jsonb_array_length(${guardVersions.snapshot} -> 'rules')` })
    .from(guardVersions)
    .where(and(eq(guardVersions.workspaceId, actor.workspaceId), before))
    .orderBy(desc(guardVersions.version))
    .limit(limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, (row) => [row.version]);
  return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), nextCursor };
}
