import "server-only";
import { and, desc, eq, exists, inArray, isNull, notInArray, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents, conversations, runMessages, runs, toolCalls, turns } from "@/db/schema";
import { belongsTo } from "@/server/conversations/conversation-owner";
import { chosenTitle, firstWords, titleOf } from "@/server/conversations/conversation-title";
import { isElsewhere } from "@/server/conversations/recorded-calls";

/** Whose conversations are searched, and those that are left out because they are going on. */
export type SessionOwner = { workspaceId: string; agentId: string; ownerKey: string; without: readonly string[] };

/** An earlier conversation, with the words that begin its last message. */
export type Session = {
  conversationId: string;
  title: string;
  startedAt: string;
  lastActiveAt: string;
  messageCount: number;
  preview: string;
};

const previewCharacters = 200;
/** Calls from which conversations without messages are described, and tools that their titles name. */
const [maxDescribed, toolsInTitle] = [2_000, 4];

/** Condition for the conversations of an owner, without those that are going on. */
export const isSessionOf = ({ workspaceId, agentId, ownerKey, without }: SessionOwner) =>
  and(
    eq(conversations.workspaceId, workspaceId),
    eq(conversations.agentId, agentId),
    belongsTo(ownerKey),
    notInArray(conversations.id, [...without]),
  );

/** Condition for conversations with a message or a call. */
export const hasActivity = (tx: Db) => {
  const one = sql`1`;
  const said = tx.select({ one }).from(runs).where(eq(runs.conversationId, conversations.id));
  return or(exists(said), exists(tx.select({ one }).from(turns).where(eq(turns.conversationId, conversations.id))));
};

/** Lists the earlier conversations of an owner that have messages or calls, the latest first. */
export async function listSessions(tx: Db, owner: SessionOwner, limit: number): Promise<Session[]> {
  const [lastRun, lastTurn] = [sql<string>`max(${runs.id}::text)`, sql<string>`max(${turns.id}::text)`];
  const talks = await tx
    .select({ id: conversations.id, last: lastRun })
    .from(conversations)
    .innerJoin(runs, eq(runs.conversationId, conversations.id))
    .where(and(isSessionOf(owner), isNull(runs.supersededBy)))
    .groupBy(conversations.id)
    .orderBy(desc(lastRun))
    .limit(limit);
  // The model of these runs elsewhere, so that only their calls are known.
  const works = await tx
    .select({ id: conversations.id, last: lastTurn })
    .from(conversations)
    .innerJoin(turns, eq(turns.conversationId, conversations.id))
    .where(and(isSessionOf(owner), isElsewhere(tx)))
    .groupBy(conversations.id)
    .orderBy(desc(lastTurn))
    .limit(limit);
  const latest = [...talks, ...works].sort((a, b) => (a.last < b.last ? 1 : -1)).slice(0, limit);
  return describeSessions(
    tx,
    latest.map(({ id }) => id),
  );
}

/** Describes conversations, in the given order. */
export async function describeSessions(tx: Db, ids: readonly string[]): Promise<Session[]> {
  if (ids.length === 0) return [];
  const inRuns = sql`from ${runMessages} join ${runs} on ${runs.id} = ${runMessages.runId} where ${runs.conversationId} = ${conversations.id} and ${runs.supersededBy} is null and ${runMessages.role} in ('user', 'assistant')`;
  const last = sql`${inRuns} and ${runMessages.content} ->> 'text' <> '' order by ${runs.id} desc, ${runMessages.position} desc limit 1`;
  const rows = await tx
    .select({
      conversationId: conversations.id,
      chosenTitle,
      firstWords: sql<string | null>`(${firstWords()})`,
      startedAt: conversations.createdAt,
      lastActiveAt: sql<string | null>`(select to_json(${runMessages.createdAt}) #>> '{}' ${last})`,
      messageCount: sql<number>`(select count(*)::int ${inRuns})`,
      preview: sql<string | null>`(select left(${runMessages.content} ->> 'text', ${previewCharacters}) ${last})`,
    })
    .from(conversations)
    // A query of several tables names the table of each column, which the parts above need.
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(inArray(conversations.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.conversationId, row]));
  const works = await describeCalls(
    tx,
    rows.flatMap(({ conversationId, messageCount }) => (messageCount === 0 ? [conversationId] : [])),
  );
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { chosenTitle, firstWords, startedAt, lastActiveAt, preview, ...rest } = row;
    const work = works.get(id);
    return {
      ...rest,
      title: chosenTitle ?? (work ? titleOf(`Calls of ${work.tools.join(", ")}`) : titleOf(firstWords ?? "")),
      startedAt: startedAt.toISOString(),
      lastActiveAt: (lastActiveAt ? new Date(lastActiveAt) : (work?.lastAt ?? startedAt)).toISOString(),
      preview: (preview ?? work?.last ?? "").toWellFormed().replace(/\s+/g, " ").trim(),
    };
  });
}

/** Facts of conversations without messages: the tools that they used, and their last call. */
async function describeCalls(tx: Db, ids: readonly string[]): Promise<Map<string, { tools: string[]; last: string; lastAt: Date }>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      conversationId: turns.conversationId,
      tool: toolCalls.name,
      words: sql<string>`left(${toolCalls.name} || ' ' || ${toolCalls.arguments}::text, ${previewCharacters})`,
      at: toolCalls.createdAt,
    })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(inArray(turns.conversationId, [...ids]))
    .orderBy(desc(turns.id), desc(toolCalls.position))
    .limit(maxDescribed);
  const byConversation = Map.groupBy(rows, ({ conversationId }) => conversationId);
  return new Map(
    [...byConversation].flatMap(([id, calls]) => {
      const [last] = calls;
      return last
        ? [[id, { tools: [...new Set(calls.map(({ tool }) => tool))].slice(0, toolsInTitle), last: last.words, lastAt: last.at }]]
        : [];
    }),
  );
}
