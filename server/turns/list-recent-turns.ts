import "server-only";
import { and, asc, desc, eq, inArray, lt } from "drizzle-orm";
import type { TurnFilter, TurnSummary } from "@/contracts/turns";
import { agents, conversations, toolCalls, turns } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { decodeCursor, IdCursor, pageOf } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";

/** Turns of all conversations that the actor may see, newest first (ids are UUIDv7, so their order is the order of submitting). */
export async function listRecentTurns(
  actor: Holder<"turns:read">,
  { limit = 50, cursor, status, conversationId }: TurnFilter & { limit?: number; cursor?: string } = {},
): Promise<{ items: TurnSummary[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const { id, createdAt, finishedAt } = turns;
  const found = await db()
    .select({ id, conversationId: turns.conversationId, agent: agents.name, status: turns.status, createdAt, finishedAt })
    .from(turns)
    .innerJoin(conversations, eq(turns.conversationId, conversations.id))
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .where(
      and(
        eq(turns.workspaceId, actor.workspaceId),
        actor.agentId ? eq(conversations.agentId, actor.agentId) : undefined,
        status && eq(turns.status, status),
        conversationId ? eq(turns.conversationId, conversationId) : undefined,
        after ? lt(id, after) : undefined,
      ),
    )
    .orderBy(desc(id))
    .limit(limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, (row) => [row.id]);
  const calls = await callsOf(rows.map((row) => row.id));
  const items = rows.map((row) => ({
    ...row,
    calls: (calls.get(row.id) ?? []).map((call) => ({ name: call.name, status: call.status })),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }));
  return { items, nextCursor };
}

async function callsOf(turnIds: string[]) {
  if (turnIds.length === 0) return new Map<string, never[]>();
  const { turnId, name, status, position } = toolCalls;
  const rows = await db().select({ turnId, name, status }).from(toolCalls).where(inArray(turnId, turnIds)).orderBy(asc(position));
  return Map.groupBy(rows, (row) => row.turnId);
}
