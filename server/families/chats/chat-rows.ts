import "server-only";
import { and, eq, gt, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Chat, ChatPlace } from "@/contracts/runs/chats";
import { agents, conversations, runs } from "@/db/schema";
import { chosenTitle, firstWords, titleOf } from "@/server/conversations/conversation-title";
import { db } from "@/server/platform/database/database";

const later = alias(runs, "later_runs");

/** Condition on the last run of each conversation. */
export const isLastRun = () =>
  notExists(
    db()
      .select({ one: sql`1` })
      .from(later)
      .where(and(eq(later.conversationId, runs.conversationId), gt(later.id, runs.id))),
  );

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

/** The first place of a chat that holds searched words, with the text around it. */
export type FoundPlace = { excerpt: string; place: ChatPlace };

/** Converts a row to the public form. */
export function presentChat(
  { id, agentId, agent, chosenTitle, firstWords, createdAt, runId, status, runAt }: ChatRow,
  found: FoundPlace | null,
): Chat {
  return {
    id,
    agentId,
    agent,
    title: chosenTitle ?? titleOf(firstWords ?? ""),
    isTitleChosen: chosenTitle !== null,
    lastRun: { id: runId, status, createdAt: runAt.toISOString() },
    excerpt: found?.excerpt ?? null,
    excerptOf: found?.place ?? null,
    createdAt: createdAt.toISOString(),
  };
}
