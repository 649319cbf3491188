import "server-only";
import { and, asc, desc, eq, exists, gte, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { statusesInGroup } from "@/contracts/calls/call-outcomes";
import type { TurnFilter, TurnSummary } from "@/contracts/turns/turns";
import { agents, approvals, conversations, toolCalls, tools, turns } from "@/db/schema";
import type { Actor, Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { containsPattern } from "@/server/platform/database/like-pattern";
import { idAt } from "@/server/platform/id-at";
import { maskInText } from "@/server/secrets/mask-secrets";

const maxSummaryChars = 160;
/** Characters read of an argument: more than the summary, so that masking sees a secret at its end as a whole. */
const readOfArgument = 1_000;

const title = sql<string | null>`coalesce(${conversations.metadata} ->> 'title', ${conversations.externalId})`;

const isAsking = sql<boolean>`${turns.status} = 'running' and exists (
  select from ${approvals} where ${approvals.turnId} = ${turns.id} and ${approvals.status} = 'pending')`;

/** Lists turns of all conversations that the actor may see, newest first (ids are UUIDv7, so id order is submission order). */
export async function listRecentTurns(
  actor: Authorized<"turns:read">,
  { limit = 50, cursor, ...filter }: TurnFilter & { limit?: number; cursor?: string } = {},
): Promise<{ items: TurnSummary[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const { id, createdAt, finishedAt } = turns;
  const found = await db()
    .select({ id, conversationId: turns.conversationId, title, agent: agents.name, status: turns.status, isAsking, createdAt, finishedAt })
    .from(turns)
    .innerJoin(conversations, eq(turns.conversationId, conversations.id))
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .where(and(turnCondition(actor, filter), after ? lt(id, after) : undefined))
    .orderBy(desc(id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, (row) => [row.id]);
  const calls = await callsOf(
    actor.workspaceId,
    rows.map((row) => row.id),
  );
  const items = rows.map((row) => ({
    ...row,
    calls: (calls.get(row.id) ?? []).map(({ name, status, argument, edited }) => ({
      name,
      status,
      summary: summaryOf(argument ?? ""),
      ...(edited ? { editedBy: edited.by } : {}),
    })),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }));
  return { items, nextCursor };
}

function turnCondition(actor: Actor, { status, conversationId, agent, tool, outcome, query, from, to }: TurnFilter): SQL | undefined {
  return and(
    eq(turns.workspaceId, actor.workspaceId),
    actor.agentId ? eq(conversations.agentId, actor.agentId) : undefined,
    status && eq(turns.status, status),
    conversationId ? eq(turns.conversationId, conversationId) : undefined,
    agent ? eq(agents.name, agent) : undefined,
    from ? gte(turns.id, idAt(Date.parse(from), "0")) : undefined,
    to ? lt(turns.id, idAt(Date.parse(to), "0")) : undefined,
    tool || outcome
      ? hasCall(tool ? eq(toolCalls.name, tool) : undefined, outcome && inArray(toolCalls.status, statusesInGroup(outcome)))
      : undefined,
    query
      ? or(sql`${title} ilike ${containsPattern(query)}`, hasCall(sql`${toolCalls.arguments}::text ilike ${containsPattern(query)}`))
      : undefined,
  );
}

function hasCall(...conditions: (SQL | undefined)[]): SQL {
  return exists(
    db()
      .select({ one: sql`1` })
      .from(toolCalls)
      .where(and(eq(toolCalls.turnId, turns.id), ...conditions)),
  );
}

/** Reads the calls of turns, each with its primary argument, or with all arguments when its tool has no primary one. */
async function callsOf(workspaceId: string, turnIds: string[]) {
  if (turnIds.length === 0) return new Map<string, never[]>();
  const { turnId, name, status, position, edited } = toolCalls;
  const all = sql`case when ${toolCalls.arguments} = '{}'::jsonb then '' else ${toolCalls.arguments}::text end`;
  const argument = sql<string | null>`left(coalesce(${toolCalls.arguments} ->> ${tools.primaryArgument}, ${all}), ${readOfArgument})`;
  const rows = await db()
    .select({ turnId, name, status, argument, edited })
    .from(toolCalls)
    .leftJoin(tools, and(eq(tools.workspaceId, workspaceId), eq(tools.name, name)))
    .where(and(eq(toolCalls.workspaceId, workspaceId), inArray(turnId, turnIds)))
    .orderBy(asc(position));
  return Map.groupBy(rows, (row) => row.turnId);
}

function summaryOf(argument: string): string {
  const line = maskInText(argument).replaceAll(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > maxSummaryChars ? `${characters.slice(0, maxSummaryChars - 1).join("")}…` : line;
}
