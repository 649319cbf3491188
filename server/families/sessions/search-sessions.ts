import "server-only";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, runMessages, runs, wordsOf } from "@/db/schema";
import { chosenTitle } from "@/server/conversations/conversation-title";
import { findRecordedCalls, type RecordedCall } from "@/server/conversations/recorded-calls";
import { hasWords, messagesWith, type WordMatching } from "@/server/conversations/word-search";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { tokenize } from "@/server/retrieval/tokenize";
import { describeSessions, hasActivity, isSessionOf, type Session, type SessionOwner } from "./list-sessions";

/** A place in an earlier conversation; `tool` where it is a tool's call or result. */
export type SessionMatch = { role: "user" | "assistant" | "tool"; tool: string | null; at: string; snippet: string };

/** An earlier conversation with the places in which words were said or done; none where only its title has them. */
export type FoundSession = Omit<Session, "preview"> & { matches: SessionMatch[] };

/** Messages that are compared; the latest of those that fit. */
const maxCompared = 300;
const matchesPerSession = 3;
const snippetCharacters = 200;

/** Finds the earlier conversations of an owner in which words of a query were said or done: those with most of the words first. */
export async function searchSessions(
  tx: Db,
  owner: SessionOwner,
  { query, limit }: { query: string; limit: number },
): Promise<FoundSession[]> {
  const terms = new Set(tokenize(query));
  const all = await readMatching(tx, owner, query, "all");
  // A question has more words than any message of its answer.
  const some = new Set(all.map(({ conversationId }) => conversationId)).size < limit ? await readMatching(tx, owner, query, "some") : [];
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

type Matching = {
  conversationId: string;
  /** Ids sort by time, those of runs and of turns alike. */
  runId: string;
  position: number;
  role: SessionMatch["role"];
  tool: string | null;
  at: Date;
  text: string;
  calls: readonly { name: string; arguments: string }[];
};

async function readMatching(tx: Db, owner: SessionOwner, query: string, matching: WordMatching): Promise<Matching[]> {
  const [said, done] = await Promise.all([
    readMessages(tx, owner, query, matching),
    findRecordedCalls(tx, isSessionOf(owner), { query, matching }),
  ]);
  return [...said, ...done.map(fromCall)].sort((a, b) => (a.runId < b.runId ? 1 : a.runId > b.runId ? -1 : b.position - a.position));
}

const fromCall = ({ conversationId, turnId, tool, arguments: args, result, at }: RecordedCall, position: number): Matching => ({
  ...{ conversationId, runId: turnId, position, role: "tool", tool, at },
  text: `${tool} ${args}\n${result}`,
  calls: [],
});

async function readMessages(tx: Db, owner: SessionOwner, query: string, matching: WordMatching): Promise<Matching[]> {
  const found = messagesWith(tx, query, matching);
  const latest = tx
    .select({ conversationId: runs.conversationId, runId: found.runId, position: found.position })
    .from(found)
    .innerJoin(runs, eq(runs.id, found.runId))
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .where(and(isSessionOf(owner), isNull(runs.supersededBy)))
    .orderBy(desc(found.runId), desc(found.position))
    .limit(maxCompared)
    .as("latest_messages");
  const rows = await tx
    .select({
      conversationId: latest.conversationId,
      runId: runMessages.runId,
      position: runMessages.position,
      role: runMessages.role,
      content: runMessages.content,
      at: runMessages.createdAt,
    })
    .from(latest)
    .innerJoin(runMessages, and(eq(runMessages.runId, latest.runId), eq(runMessages.position, latest.position)))
    .orderBy(desc(runMessages.runId), desc(runMessages.position));
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
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(isSessionOf(owner), hasActivity(tx), hasWords(wordsOf(title), title, query, "all")))
    .limit(limit);
  return rows.map(({ id }) => id);
}
