import "server-only";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { runMessages, runs, wordsOf } from "@/db/schema";
import { hasWords, messagesWith } from "@/server/conversations/word-search";
import { db } from "@/server/platform/database/database";
import type { FoundPlace } from "./chat-rows";

const searched = alias(runs, "searched_runs");
const text = sql<string>`coalesce(${runMessages.content} ->> 'text', '')`;

const eachCall = sql`jsonb_array_elements(${runMessages.content} -> 'toolCalls')`;

/** A text of a person or the agent with the words. Only messages that the index of words found are looked at so. */
const isSaid = (query: string): SQL =>
  sql`(${runMessages.role} in ('user', 'assistant') and ${hasWords(wordsOf(text), text, query, "begun")})`;

/** The conversations with messages that hold words. */
export function conversationsWith(query: string) {
  const found = messagesWith(db(), query, "begun");
  return db()
    .select({ id: searched.conversationId })
    .from(found)
    .innerJoin(searched, eq(searched.id, found.runId))
    .where(isNull(searched.supersededBy));
}

const beforeMatch = 40;
const excerptLength = 160;
/** The beginning that the forms of a word share, roughly. */
const stemOf = (word: string): string => word.slice(0, Math.max(3, word.length - 3));

/** Returns, for each conversation, the first place that holds the words; what was said comes before what was done. */
export async function findPlaces(conversationIds: readonly string[], query: string): Promise<Map<string, FoundPlace>> {
  if (conversationIds.length === 0) return new Map();
  const found = messagesWith(db(), query, "begun");
  // One place a conversation is chosen first, because a text's words take longer to read than all the rest.
  const chosen = db()
    .selectDistinctOn([searched.conversationId], {
      conversationId: searched.conversationId,
      runId: found.runId,
      position: found.position,
      isSaid: sql<boolean>`${isSaid(query)}`.as("is_said"),
    })
    .from(found)
    .innerJoin(searched, eq(searched.id, found.runId))
    .innerJoin(runMessages, and(eq(runMessages.runId, found.runId), eq(runMessages.position, found.position)))
    .where(and(inArray(searched.conversationId, [...conversationIds]), isNull(searched.supersededBy)))
    .orderBy(searched.conversationId, sql`"is_said" desc`, found.runId, found.position)
    .as("chosen_places");
  const isInText = sql`(${runMessages.role} = 'tool' or ${chosen.isSaid})`;
  const source = sql`case when ${isInText} then ${text} else coalesce((select string_agg(one ->> 'arguments', ' ') from ${eachCall} one), '') end`;
  const [word = query] = query.split(/\s+/);
  const at = (words: string) => sql`nullif(position(lower(${words}) in lower(${source})), 0)`;
  const place = sql`coalesce(${at(query)}, ${at(word)}, ${at(stemOf(word))}, 1)`;
  const rows = await db()
    .select({
      conversationId: chosen.conversationId,
      runId: chosen.runId,
      role: runMessages.role,
      result: sql<string | null>`${runMessages.content} ->> 'name'`,
      call: sql<
        string | null
      >`(select one ->> 'name' from ${eachCall} one order by position(lower(${word}) in lower(one ->> 'arguments')) > 0 desc limit 1)`,
      isInText: sql<boolean>`${isInText}`,
      excerpt: sql<string>`substring(${source} from greatest(1, ${place} - ${beforeMatch}) for ${excerptLength})`,
    })
    .from(chosen)
    .innerJoin(runMessages, and(eq(runMessages.runId, chosen.runId), eq(runMessages.position, chosen.position)));
  return new Map(
    rows.map(({ conversationId, runId, role, result, call, isInText, excerpt }) => {
      const kind = role === "tool" ? "result" : !isInText ? "call" : role === "user" ? "user" : "assistant";
      const tool = kind === "result" ? result : kind === "call" ? call : null;
      return [conversationId, { excerpt: excerpt.replace(/\s+/g, " ").trim(), place: { runId, kind, tool } }];
    }),
  );
}
