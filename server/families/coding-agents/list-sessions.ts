import "server-only";
import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { CodingClient, CodingSession } from "@/contracts/agents/coding-agents";
import { Timestamp } from "@/contracts/common";
import { codingSessions, toolCalls, turns } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import type { RepositoryPolicy } from "@/server/guard/call/guard-request";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { loadRepositoryPolicy } from "@/server/policy/repository-policies";
import { findProblems } from "./find-problems";
import type { SessionRow } from "./sessions";

type Filter = { limit?: number; cursor?: string | undefined; client?: CodingClient | undefined };
type Page = { items: CodingSession[]; nextCursor: string | null };

const Cursor = z.tuple([Timestamp, z.uuid()]);

/** Lists the sessions of coding agents, the last seen first. */
export async function listSessions(actor: Authorized<"turns:read">, { limit = 50, cursor, client }: Filter): Promise<Page> {
  const after = cursor ? decodeCursor(cursor, Cursor) : null;
  const { lastSeenAt, id } = codingSessions;
  const found = await db()
    .select()
    .from(codingSessions)
    .where(
      and(
        eq(codingSessions.workspaceId, actor.workspaceId),
        client ? eq(codingSessions.client, client) : undefined,
        after ? or(lt(lastSeenAt, new Date(after[0])), and(eq(lastSeenAt, new Date(after[0])), lt(id, after[1]))) : undefined,
      ),
    )
    .orderBy(desc(lastSeenAt), desc(id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.lastSeenAt.toISOString(), row.id]);
  const counts = await countCalls(rows);
  const policies = await Promise.all(rows.map(({ policyDigest }) => loadRepositoryPolicy(actor.workspaceId, policyDigest ?? undefined)));
  const items = rows.map((row, place) => presentSession(row, counts.get(row.conversationId) ?? noCalls, policies[place] ?? null));
  return { items, nextCursor };
}

const noCalls = { waiting: 0, released: 0, allowed: 0, denied: 0, edited: 0, spared: 0 };

async function countCalls(rows: readonly SessionRow[]): Promise<Map<string, CodingSession["calls"]>> {
  if (rows.length === 0) return new Map();
  const of = (...statuses: (typeof toolCalls.$inferSelect)["status"][]) =>
    sql<number>`count(*) filter (where ${inArray(toolCalls.status, statuses)})::int`;
  const isReleased = inArray(toolCalls.status, ["released", "succeeded", "failed", "interrupted"]);
  const counted = await db()
    .select({
      conversationId: turns.conversationId,
      waiting: of("awaiting_approval"),
      released: of("released"),
      allowed: of("succeeded", "failed", "interrupted"),
      denied: of("denied", "rejected", "expired"),
      edited: sql<number>`count(*) filter (where ${toolCalls.edited} is not null)::int`,
      spared: sql<number>`count(*) filter (where ${isReleased} and ${toolCalls.approvalId} is null)::int`,
    })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      inArray(
        turns.conversationId,
        rows.map(({ conversationId }) => conversationId),
      ),
    )
    .groupBy(turns.conversationId);
  return new Map(counted.map(({ conversationId, ...calls }) => [conversationId, calls]));
}

function presentSession(row: SessionRow, calls: CodingSession["calls"], policy: RepositoryPolicy | null): CodingSession {
  const { id, conversationId, client, version, session, agent, folder, repository, host, userName, box, key, bypassed } = row;
  return {
    ...{ id, conversationId, client, version, session, agent, folder, repository, host, user: userName, box, key, bypassed, calls },
    problems: findProblems({ ...row, policyMistake: policy?.mistake ?? null }),
    policy: policy && { rules: policy.rules.length, mistake: policy.mistake },
    startedAt: row.startedAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
