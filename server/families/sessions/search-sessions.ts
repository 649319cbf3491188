import "server-only";
import { and, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, messageWords, runMessages, runs, wordsOf } from "@/db/schema";
import { chosenTitle } from "@/server/conversations/conversation-title";
import { containsPattern } from "@/server/platform/like-pattern";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { tokenize } from "@/server/retrieval/tokenize";
import { describeSessions, isSessionOf, type Session, type SessionOwner } from "./list-sessions";

/** A place in an earlier conversation; `tool` where it is a tool's call or result. */
export type SessionMatch = { role: "user" | "assistant" | "tool"; tool: string | null; at: string; snippet: string };

/** An earlier conversation with the places in which words were said or done; none where only its title has them. */
export type FoundSession = Omit<Session, "preview"> & { matches: SessionMatch[] };

/** Messages that are compared; the latest of those that fit. */
const maxCompared = 300;
const matchesPerSession = 3;
const snippetCharacters = 200;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;

/** Finds the earlier conversations of an owner in which words of a query were said or done: those with most of the words first. */
export async function searchSessions(
  tx: Db,
  owner: SessionOwner,
  { query, limit }: { query: string; limit: number },
): Promise<FoundSession[]> {
  const terms = new Set(tokenize(query));
  const all = await readMatching(tx, owner, query, " & ");
  // A question has more words than any message of its answer.
  const some = new Set(all.map(({ conversationId }) => conversationId)).size < limit ? await readMatching(tx, owner, query, " | ") : [];
  const messages = [...new Map([...all, ...some].map((row) => [`${row.runId} ${row.position}`, row])).values()];
  const scored = messages.map((row) => {
    const text = textOf(row);
    const matches = findMatches(text, terms);
    return { ...row, terms: matches.terms, snippet: snippetOf(text, matches, snippetCharacters).snippet };
  });
  const titled = await readTitled(tx, owner, query, limit);
  const bySession = Map.groupBy(scored, ({ conversationId }) => conversationId);
  const ids = [...new Set([...bySession.keys(), ...titled])];
  const termsIn = (id: string) =>
    new Set([...(bySession.get(id) ?? []).flatMap(({ terms }) => [...terms]), ...(titled.includes(id) ? terms : [])]).size;
  const latest = (id: string) => bySession.get(id)?.[0]?.runId ?? "";
  const best = ids.toSorted((a, b) => termsIn(b) - termsIn(a) || (latest(a) < latest(b) ? 1 : -1)).slice(0, limit);
  const described = await describeSessions(tx, best);
  return described.map(({ preview: _, ...session }) => ({
    ...session,
    matches: (bySession.get(session.conversationId) ?? [])
      .toSorted((a, b) => b.terms.size - a.terms.size)
      .slice(0, matchesPerSession)
      .map(({ role, tool, at, snippet }) => ({ role, tool, at: at.toISOString(), snippet })),
  }));
}

type Matching = Awaited<ReturnType<typeof readMatching>>[number];

async function readMatching(tx: Db, owner: SessionOwner, query: string, between: " & " | " | ") {
  const rows = await tx
    .select({
      conversationId: runs.conversationId,
      runId: runMessages.runId,
      position: runMessages.position,
      role: runMessages.role,
      content: runMessages.content,
      at: runMessages.createdAt,
    })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(
      and(
        isSessionOf(owner),
        isNull(runs.supersededBy),
        inArray(runMessages.role, ["user", "assistant", "tool"]),
        hasWords(messageWords(runMessages.content), sql`${runMessages.content} ->> 'text'`, query, between),
      ),
    )
    .orderBy(desc(runMessages.runId), desc(runMessages.position))
    .limit(maxCompared);
  return rows.map(({ content, role, ...row }) => ({
    ...row,
    role: role as SessionMatch["role"],
    tool: content.name ?? content.toolCalls?.[0]?.name ?? null,
    text: content.text,
    calls: content.toolCalls ?? [],
  }));
}

/** The text of a message, and below it the names and arguments of its calls. */
const textOf = ({ text, calls }: Matching): string =>
  [text, ...calls.map(({ name, arguments: args }) => `${name} ${args}`)].filter((part) => part !== "").join("\n");

async function readTitled(tx: Db, owner: SessionOwner, query: string, limit: number): Promise<string[]> {
  const title = sql`coalesce(${chosenTitle}, '')`;
  const rows = await tx
    .selectDistinct({ id: conversations.id })
    .from(conversations)
    .innerJoin(runs, eq(runs.conversationId, conversations.id))
    .where(and(isSessionOf(owner), hasWords(wordsOf(title), title, query, " & ")))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Condition for words of a query, by their stems. Postgres takes text without spaces, such as Chinese, for one word, so it is compared by parts. */
function hasWords(words: SQL, text: SQL, query: string, between: " & " | " | "): SQL | undefined {
  const parts = query.match(cjk) ?? [];
  const asked = sql`(select string_agg(quote_literal(word), ${between}) from unnest(tsvector_to_array(${wordsOf(sql`${query}::text`)})) word)::tsquery`;
  return or(sql`${words} @@ ${asked}`, ...parts.map((part) => sql`${text} ilike ${containsPattern(part)}`));
}
