import "server-only";
import { desc, eq, notExists, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, runs, toolCalls, turns, wordsOf } from "@/db/schema";
import { hasWords, type WordMatching } from "./word-search";

/** A call in a conversation whose model runs elsewhere, so that its calls are all that is known of it. */
export type RecordedCall = {
  conversationId: string;
  turnId: string;
  tool: string;
  arguments: string;
  result: string;
  at: Date;
};

/** The latest conversations that are looked at, and of their calls those that are compared. An index over words would cost each call. */
const [maxConversations, maxCompared] = [5_000, 1_000];
const comparedCharacters = 20_000;

/** Condition for conversations without messages. */
export const isElsewhere = (tx: Db) => notExists(tx.select({ one: sql`1` }).from(runs).where(eq(runs.conversationId, conversations.id)));

/** Finds calls with words of a query among the latest of some conversations without messages, newest first. */
export async function findRecordedCalls(
  tx: Db,
  where: SQL | undefined,
  { query, matching }: { query: string; matching: WordMatching },
): Promise<RecordedCall[]> {
  const recent = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(where)
    .orderBy(desc(conversations.id))
    .limit(maxConversations)
    .as("recent_conversations");
  const saidNothing = notExists(tx.select({ one: sql`1` }).from(runs).where(eq(runs.conversationId, recent.id)));
  const latest = tx
    .select({
      conversationId: turns.conversationId,
      turnId: sql<string>`${turns.id}`.as("turn"),
      position: toolCalls.position,
      tool: toolCalls.name,
      arguments: sql<string>`${toolCalls.arguments}::text`.as("arguments_text"),
      result: sql<string>`left(${toolCalls.content}, ${comparedCharacters})`.as("result_text"),
      at: toolCalls.createdAt,
    })
    .from(recent)
    .innerJoin(turns, eq(turns.conversationId, recent.id))
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(saidNothing)
    .orderBy(desc(turns.id), desc(toolCalls.position))
    .limit(maxCompared)
    .as("latest_calls");
  const text = sql`(${latest.tool} || ' ' || ${latest.arguments} || ' ' || ${latest.result})`;
  const found = await tx
    .select()
    .from(latest)
    .where(hasWords(wordsOf(text), text, query, matching))
    .orderBy(desc(latest.turnId), desc(latest.position));
  return found.map(({ position: _, ...call }) => call);
}
