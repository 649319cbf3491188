import "server-only";
import { and, asc, desc, eq, inArray, lt } from "drizzle-orm";
import type { ChatRun } from "@/contracts/runs/chats";
import { agents, runMessages, runs } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentMessage, presentRun } from "@/server/runs/read/present-run";
import { inHistory } from "@/server/runs/run-row";

type Asked = { superseded?: boolean; limit?: number; cursor?: string | undefined };

/** Lists the runs of a conversation with their messages, newest first. */
export async function listChatRuns(
  actor: Authorized<"turns:read">,
  conversationId: string,
  { superseded = false, limit = 50, cursor }: Asked,
): Promise<{ items: ChatRun[]; nextCursor: string | null }> {
  await findConversation(actor, conversationId);
  const found = await db()
    .select({ run: runs, agent: agents.name })
    .from(runs)
    .innerJoin(agents, eq(agents.id, runs.agentId))
    .where(
      and(
        eq(runs.conversationId, conversationId),
        superseded ? undefined : inHistory,
        cursor ? lt(runs.id, decodeCursor(cursor, IdCursor)[0]) : undefined,
      ),
    )
    .orderBy(desc(runs.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ run }) => [run.id]);
  const ids = rows.map(({ run }) => run.id);
  // Read after the runs: a message that is stored in between belongs to a run that a client goes on following.
  const messages = ids.length === 0 ? [] : await messagesOf(ids);
  const byRun = Map.groupBy(messages, ({ runId }) => runId);
  return {
    items: rows.map(({ run, agent }) => ({ run: presentRun(run, agent), messages: (byRun.get(run.id) ?? []).map(presentMessage) })),
    nextCursor,
  };
}

function messagesOf(runIds: readonly string[]) {
  return db()
    .select()
    .from(runMessages)
    .where(inArray(runMessages.runId, [...runIds]))
    .orderBy(asc(runMessages.runId), asc(runMessages.position));
}
