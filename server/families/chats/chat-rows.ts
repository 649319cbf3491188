import "server-only";
import { and, asc, eq, gt, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Chat } from "@/contracts/chats";
import { agents, conversations, runMessages, runs } from "@/db/schema";
import { db } from "@/server/platform/database";

const later = alias(runs, "later_runs");
const first = alias(runs, "first_runs");

/** Condition on the last run of each conversation. */
export const isLastRun = () =>
  notExists(
    db()
      .select({ one: sql`1` })
      .from(later)
      .where(and(eq(later.conversationId, runs.conversationId), gt(later.id, runs.id))),
  );

/** The title that a person chose. `metadata.title` is also what a runtime may set and what the list of turns shows. */
export const chosenTitle = sql<string | null>`nullif(btrim(${conversations.metadata} ->> 'title'), '')`;

/** The beginning of the first message that was not replaced. Its secrets are masked. */
const firstWords = () =>
  db()
    .select({ text: sql<string>`left(${runMessages.content} ->> 'text', 400)`.as("text") })
    .from(first)
    .innerJoin(runMessages, and(eq(runMessages.runId, first.id), eq(runMessages.position, 0)))
    .where(and(eq(first.conversationId, conversations.id), sql`${first.supersededBy} is null`))
    .orderBy(asc(first.id))
    .limit(1);

/** The columns of a chat, from its last run. */
export const chatColumns = () => ({
  id: conversations.id,
  agentId: agents.id,
  agent: agents.name,
  chosenTitle,
  firstWords: sql<string | null>`(${firstWords()})`,
  createdAt: conversations.createdAt,
  runId: runs.id,
  status: runs.status,
  runAt: runs.createdAt,
});

export const chatRows = () =>
  db()
    .select(chatColumns())
    .from(runs)
    .innerJoin(conversations, eq(conversations.id, runs.conversationId))
    .innerJoin(agents, eq(agents.id, runs.agentId))
    .$dynamic();

export type ChatRow = Awaited<ReturnType<typeof chatRows>>[number];

const longestTitle = 80;

/** Converts a row to the public form; no other code does. */
export function presentChat(
  { id, agentId, agent, chosenTitle, firstWords, createdAt, runId, status, runAt }: ChatRow,
  excerpt: string | null,
): Chat {
  return {
    id,
    agentId,
    agent,
    title: chosenTitle ?? titleOf(firstWords ?? ""),
    isTitleChosen: chosenTitle !== null,
    lastRun: { id: runId, status, createdAt: runAt.toISOString() },
    excerpt,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns a title for a message: its first line with words, cut at the end of a word. */
export function titleOf(message: string): string {
  const line =
    message
      .split("\n")
      .map((part) => part.trim())
      .find((part) => part !== "") ?? "";
  const words = line.replace(/^[#>*\-\s]+/, "").replace(/\s+/g, " ") || "Untitled";
  if (words.length <= longestTitle) return words;
  // Half of a surrogate pair at the cut goes too.
  const cut = words.slice(0, longestTitle).replace(/[\ud800-\udbff]$/, "");
  const end = cut.lastIndexOf(" ");
  return `${(end > longestTitle / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}
