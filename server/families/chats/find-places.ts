import "server-only";
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { conversations, messageWords, runMessages, runs, wordsOf } from "@/db/schema";
import { db } from "@/server/platform/database";
import { containsPattern } from "@/server/platform/like-pattern";
import type { FoundPlace } from "./chat-rows";

const searched = alias(runs, "searched_runs");
const text = sql<string>`coalesce(${runMessages.content} ->> 'text', '')`;
const calls = sql<string>`coalesce(${runMessages.content} ->> 'toolCalls', '')`;

const eachCall = sql`jsonb_array_elements(${runMessages.content} -> 'toolCalls')`;

/** The query for all words of a text, by their stems. */
const allWords = (query: string): SQL =>
  sql`(select string_agg(quote_literal(word), ' & ') from unnest(tsvector_to_array(${wordsOf(sql`${query}::text`)})) word)::tsquery`;

/** Messages are matched by the words as they are typed. */
const isSaid = (query: string): SQL => sql`(${runMessages.role} in ('user', 'assistant') and ${text} ilike ${containsPattern(query)})`;

/** Calls and results are matched by the stems of all words; the index of words finds it, because results are many and long. */
const isDone = (query: string): SQL =>
  sql`(${messageWords(runMessages.content)} @@ ${allWords(query)} and (${runMessages.role} = 'tool' or ${calls} <> ''))`;

const holds = (query: string) => and(or(isSaid(query), isDone(query)), sql`${searched.supersededBy} is null`);

/** The messages of the row's conversation that hold words. */
export const messagesWith = (query: string) =>
  db()
    .select({ one: sql`1` })
    .from(searched)
    .innerJoin(runMessages, eq(runMessages.runId, searched.id))
    .where(and(eq(searched.conversationId, conversations.id), holds(query)));

const beforeMatch = 40;
const excerptLength = 160;

/** Returns, for each conversation, the first place that holds the words; what was said comes before what was done. */
export async function findPlaces(conversationIds: readonly string[], query: string): Promise<Map<string, FoundPlace>> {
  if (conversationIds.length === 0) return new Map();
  const said = isSaid(query);
  const isInText = sql`(${runMessages.role} = 'tool' or ${said})`;
  const source = sql`case when ${isInText} then ${text} else coalesce((select string_agg(one ->> 'arguments', ' ') from ${eachCall} one), '') end`;
  const [word = query] = query.split(/\s+/);
  const at = (words: string) => sql`nullif(position(lower(${words}) in lower(${source})), 0)`;
  const place = sql`coalesce(${at(query)}, ${at(word)}, 1)`;
  const rows = await db()
    .selectDistinctOn([searched.conversationId], {
      conversationId: searched.conversationId,
      runId: searched.id,
      role: runMessages.role,
      result: sql<string | null>`${runMessages.content} ->> 'name'`,
      call: sql<
        string | null
      >`(select one ->> 'name' from ${eachCall} one order by position(lower(${word}) in lower(one ->> 'arguments')) > 0 desc limit 1)`,
      isInText: sql<boolean>`${isInText}`,
      excerpt: sql<string>`substring(${source} from greatest(1, ${place} - ${beforeMatch}) for ${excerptLength})`,
    })
    .from(searched)
    .innerJoin(runMessages, eq(runMessages.runId, searched.id))
    .where(and(inArray(searched.conversationId, [...conversationIds]), holds(query)))
    .orderBy(searched.conversationId, sql`${said} desc`, searched.id, runMessages.position);
  return new Map(
    rows.map(({ conversationId, runId, role, result, call, isInText, excerpt }) => {
      const kind = role === "tool" ? "result" : !isInText ? "call" : role === "user" ? "user" : "assistant";
      const tool = kind === "result" ? result : kind === "call" ? call : null;
      return [conversationId, { excerpt: excerpt.replace(/\s+/g, " ").trim(), place: { runId, kind, tool } }];
    }),
  );
}
