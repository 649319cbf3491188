import "server-only";
import { and, desc, eq, getTableColumns, lt } from "drizzle-orm";
import type { Job, JobFilter } from "@/contracts/calls/jobs";
import { conversations, jobs } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentJob } from "./present-job";

/** Lists the jobs that the actor may see, newest first. */
export async function listJobs(
  actor: Authorized<"turns:read">,
  { limit = 50, cursor, status, conversationId }: JobFilter & { limit?: number; cursor?: string },
): Promise<{ items: Job[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const found = await db()
    .select(getTableColumns(jobs))
    .from(jobs)
    .innerJoin(conversations, eq(jobs.conversationId, conversations.id))
    .where(
      and(
        eq(jobs.workspaceId, actor.workspaceId),
        actor.agentId ? eq(conversations.agentId, actor.agentId) : undefined,
        status && eq(jobs.status, status),
        conversationId ? eq(jobs.conversationId, conversationId) : undefined,
        after ? lt(jobs.id, after) : undefined,
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.id]);
  return { items: rows.map(presentJob), nextCursor };
}
