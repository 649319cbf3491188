import "server-only";
import { and, desc, eq, notExists, type SQL, sql } from "drizzle-orm";
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

/** Calls that are compared, the latest; there is no index over their words, because it would cost each call. */
const maxCompared = 1_000;
const comparedCharacters = 20_000;

/** Condition for conversations without messages. */
export const isElsewhere = (tx: Db) => notExists(tx.select({ one: sql`1` }).from(runs).where(eq(runs.conversationId, conversations.id)));

/** Finds calls with words of a query among the latest of some conversations without messages, newest first. */
export async function findRecordedCalls(
  tx: Db,
  where: SQL | undefined,
  { query, matching }: { query: string; matching: WordMatching },
): Promise<RecordedCall[]> {
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
    .from(turns)
    .innerJoin(conversations, eq(conversations.id, turns.conversationId))
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(and(where, isElsewhere(tx)))
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
