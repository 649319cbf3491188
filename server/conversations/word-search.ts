import "server-only";
import { and, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messageWords, runMessages, wordsOf } from "@/db/schema";
import { containsPattern } from "@/server/platform/database/like-pattern";

/** `all`: every word. `some`: at least one. `begun`: every word, each perhaps only its beginning, as a person types it. */
export type WordMatching = "all" | "some" | "begun";

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;

/** The query of an index of words, by their stems; null for a text without words. */
function wordQuery(query: string, matching: WordMatching): SQL {
  const word = matching === "begun" ? sql`quote_literal(word) || ':*'` : sql`quote_literal(word)`;
  const between = matching === "some" ? " | " : " & ";
  return sql`(select string_agg(${word}, ${between}) from unnest(tsvector_to_array(${wordsOf(sql`${query}::text`)})) word)::tsquery`;
}

/** Condition for words of a query in a text. Postgres takes text without spaces, such as Chinese, for one word, so it is compared by parts. */
export function hasWords(words: SQL, text: SQL, query: string, matching: WordMatching): SQL {
  const parts = query.match(unspaced) ?? [];
  const indexed = sql`${words} @@ ${wordQuery(query, matching)}`;
  return or(indexed, ...parts.map((part) => sql`${text} ilike ${containsPattern(part)}`)) ?? indexed;
}

/** More messages than a search compares ever; the limit is there for the planner. */
const maxFound = 1_000_000;

/**
 * The places of messages that hold words of a query, as the index of words finds them, for a join. The planner takes a limit for a wall:
 * without it the words of each message of an owner are read anew, which takes seconds.
 */
export const messagesWith = (tx: Db, query: string, matching: WordMatching) =>
  tx
    .select({ runId: runMessages.runId, position: runMessages.position })
    .from(runMessages)
    .where(
      and(
        inArray(runMessages.role, ["user", "assistant", "tool"]),
        hasWords(messageWords(runMessages.content), sql`coalesce(${runMessages.content} ->> 'text', '')`, query, matching),
      ),
    )
    .limit(maxFound)
    .as("messages_with_words");
