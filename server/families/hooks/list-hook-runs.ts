import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { HookRun, HookRunFilter } from "@/contracts/hooks/hooks";
import { hookRuns } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { hookRunsAtRest } from "@/server/hooks/record-runs";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentHookRun } from "./present-hook";

const patienceMs = 1_000;

/**
 * Lists runs, newest first (ids are UUIDv7). Waits briefly for this replica's pending writes, so that a caller who has
 * seen a call finds its runs.
 */
export async function listHookRuns(
  actor: Authorized<"guard:read">,
  { limit = 50, cursor, hookId, event, outcome, callId, conversationId }: HookRunFilter & { limit?: number; cursor?: string } = {},
): Promise<{ items: HookRun[]; nextCursor: string | null }> {
  await Promise.race([hookRunsAtRest(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
  const found = await db()
    .select()
    .from(hookRuns)
    .where(
      and(
        eq(hookRuns.workspaceId, actor.workspaceId),
        hookId ? eq(hookRuns.hookId, hookId) : undefined,
        event ? eq(hookRuns.event, event) : undefined,
        outcome ? eq(hookRuns.outcome, outcome) : undefined,
        callId ? eq(hookRuns.callId, callId) : undefined,
        conversationId ? eq(hookRuns.conversationId, conversationId) : undefined,
        cursor === undefined ? undefined : lt(hookRuns.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(hookRuns.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentHookRun), nextCursor };
}
