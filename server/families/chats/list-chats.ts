import "server-only";
import { and, desc, eq, ilike, inArray, lt, or } from "drizzle-orm";
import type { Chat, ChatFilter } from "@/contracts/runs/chats";
import { conversations, runs } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { chosenTitle } from "@/server/conversations/conversation-title";
import { findConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { containsPattern } from "@/server/platform/database/like-pattern";
import { AppError } from "@/server/platform/errors";
import { chatRows, type FoundPlace, isLastRun, presentChat } from "./chat-rows";
import { findElsewhere } from "./find-elsewhere";
import { conversationsWith, findPlaces } from "./find-places";

type Page = { items: Chat[]; nextCursor: string | null };
type Asked = ChatFilter & { limit?: number; cursor?: string | undefined };

/** Lists the chats that the actor may see, the one with the latest message first. */
export async function listChats(actor: Authorized<"turns:read">, { agentId, query, limit = 50, cursor }: Asked): Promise<Page> {
  const before = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const found = await chatRows()
    .where(
      and(
        eq(runs.workspaceId, actor.workspaceId),
        actor.agentId ? eq(runs.agentId, actor.agentId) : undefined,
        agentId ? eq(runs.agentId, agentId) : undefined,
        query ? or(ilike(chosenTitle, containsPattern(query)), inArray(conversations.id, conversationsWith(query))) : undefined,
        before ? lt(runs.id, before) : undefined,
        isLastRun(),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(limit + 1);
  const elsewhere = query ? await findElsewhere(actor, { agentId, query, before, limit: limit + 1 }) : [];
  const own = found.map((row) => ({ last: row.runId, row }));
  // Ids of runs and of turns sort by time alike.
  const all = [...own, ...elsewhere.map(({ lastTurnId: last, chat }) => ({ last, chat }))].sort((a, b) => (a.last < b.last ? 1 : -1));
  const { rows, nextCursor } = toPage(all, limit, ({ last }) => [last]);
  const ids = rows.flatMap((listed) => ("row" in listed ? [listed.row.id] : []));
  const places = query ? await findPlaces(ids, query) : new Map<string, FoundPlace>();
  const items = rows.map((listed) => ("row" in listed ? presentChat(listed.row, places.get(listed.row.id) ?? null) : listed.chat));
  return { items, nextCursor };
}

/** Returns one chat. @throws AppError `not_found` for a conversation without messages */
export async function getChat(actor: Authorized<"turns:read">, conversationId: string): Promise<Chat> {
  await findConversation(actor, conversationId);
  const [row] = await chatRows().where(and(eq(runs.conversationId, conversationId), isLastRun()));
  if (!row) throw new AppError("not_found", "This conversation has no messages yet. POST /api/v1/agents/{id}/runs sends one.");
  return presentChat(row, null);
}
