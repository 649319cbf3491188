import "server-only";
import { and, desc, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents, conversations, runMessages, runs } from "@/db/schema";
import { belongsTo } from "@/server/conversations/conversation-owner";
import { chosenTitle, firstWords, titleOf } from "@/server/conversations/conversation-title";

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

/** Condition for the conversations of an owner, without those that are going on. */
export const isSessionOf = ({ workspaceId, agentId, ownerKey, without }: SessionOwner) =>
  and(
    eq(conversations.workspaceId, workspaceId),
    eq(conversations.agentId, agentId),
    belongsTo(ownerKey),
    notInArray(conversations.id, [...without]),
  );

/** Lists the earlier conversations of an owner that have messages, the latest message first. */
export async function listSessions(tx: Db, owner: SessionOwner, limit: number): Promise<Session[]> {
  const lastRun = sql`max(${runs.id}::text)`;
  const rows = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .innerJoin(runs, eq(runs.conversationId, conversations.id))
    .where(and(isSessionOf(owner), isNull(runs.supersededBy)))
    .groupBy(conversations.id)
    .orderBy(desc(lastRun))
    .limit(limit);
  return describeSessions(
    tx,
    rows.map(({ id }) => id),
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
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { chosenTitle, firstWords, startedAt, lastActiveAt, preview, ...rest } = row;
    return {
      ...rest,
      title: chosenTitle ?? titleOf(firstWords ?? ""),
      startedAt: startedAt.toISOString(),
      lastActiveAt: (lastActiveAt ? new Date(lastActiveAt) : startedAt).toISOString(),
      preview: (preview ?? "").toWellFormed().replace(/\s+/g, " ").trim(),
    };
  });
}
