import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Chat } from "@/contracts/runs/chats";
import { agents, conversations, turns } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { chosenTitle, titleOf } from "@/server/conversations/conversation-title";
import { findRecordedCalls, type RecordedCall } from "@/server/conversations/recorded-calls";
import { db } from "@/server/platform/database/database";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { tokenize } from "@/server/retrieval/tokenize";

type Elsewhere = { lastTurnId: string; chat: Chat };
const excerptCharacters = 160;

/** Finds conversations whose model runs elsewhere by the words of their calls, the latest first. */
export async function findElsewhere(
  actor: Authorized<"turns:read">,
  { agentId, query, before, limit }: { agentId: string | undefined; query: string; before: string | null; limit: number },
): Promise<Elsewhere[]> {
  const isSeen = and(
    eq(conversations.workspaceId, actor.workspaceId),
    actor.agentId ? eq(conversations.agentId, actor.agentId) : undefined,
    agentId ? eq(conversations.agentId, agentId) : undefined,
  );
  const calls = await findRecordedCalls(db(), isSeen, { query, matching: "begun" });
  const first = new Map(calls.toReversed().map((call) => [call.conversationId, call]));
  if (first.size === 0) return [];
  const lastTurnId = sql<string>`(select max(${turns.id}::text) from ${turns} where ${turns.conversationId} = ${conversations.id})`;
  const rows = await db()
    .select({ id: conversations.id, agentId: agents.id, agent: agents.name, chosenTitle, createdAt: conversations.createdAt, lastTurnId })
    .from(conversations)
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(inArray(conversations.id, [...first.keys()]));
  return rows
    .filter(({ lastTurnId }) => before === null || lastTurnId < before)
    .sort((a, b) => (a.lastTurnId < b.lastTurnId ? 1 : -1))
    .slice(0, limit)
    .flatMap(({ lastTurnId, chosenTitle, createdAt, ...row }) => {
      const call = first.get(row.id);
      if (!call) return [];
      const title = chosenTitle ?? titleOf(`Calls of ${call.tool}`);
      const times = { lastRun: null, createdAt: createdAt.toISOString() };
      return [{ lastTurnId, chat: { ...row, ...times, title, isTitleChosen: chosenTitle !== null, ...placeOf(call, query) } }];
    });
}

function placeOf({ tool, arguments: args, result }: RecordedCall, query: string): Pick<Chat, "excerpt" | "excerptOf"> {
  const terms = new Set(tokenize(query));
  const [inArguments, inResult] = [findMatches(args, terms), findMatches(result, terms)];
  const isResult = inResult.terms.size > inArguments.terms.size;
  const { snippet } = isResult ? snippetOf(result, inResult, excerptCharacters) : snippetOf(args, inArguments, excerptCharacters);
  return { excerpt: snippet, excerptOf: { runId: null, kind: isResult ? "result" : "call", tool } };
}
