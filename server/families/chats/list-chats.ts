import "server-only";
import { and, desc, eq, exists, ilike, lt, or } from "drizzle-orm";
import type { Chat, ChatFilter } from "@/contracts/chats";
import { runs } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { chosenTitle } from "@/server/conversations/conversation-title";
import { findConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { AppError } from "@/server/platform/errors";
import { containsPattern } from "@/server/platform/like-pattern";
import { chatRows, type FoundPlace, isLastRun, presentChat } from "./chat-rows";
import { findPlaces, messagesWith } from "./find-places";

type Page = { items: Chat[]; nextCursor: string | null };
type Asked = ChatFilter & { limit?: number; cursor?: string | undefined };

/** Lists the chats that the actor may see, the one with the latest message first. */
export async function listChats(actor: Authorized<"turns:read">, { agentId, query, limit = 50, cursor }: Asked): Promise<Page> {
  const found = await chatRows()
    .where(
      and(
        eq(runs.workspaceId, actor.workspaceId),
        actor.agentId ? eq(runs.agentId, actor.agentId) : undefined,
        agentId ? eq(runs.agentId, agentId) : undefined,
        query ? or(ilike(chosenTitle, containsPattern(query)), exists(messagesWith(query))) : undefined,
        cursor ? lt(runs.id, decodeCursor(cursor, IdCursor)[0]) : undefined,
        isLastRun(),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ runId }) => [runId]);
  const ids = rows.map(({ id }) => id);
  const places = query ? await findPlaces(ids, query) : new Map<string, FoundPlace>();
  return { items: rows.map((row) => presentChat(row, places.get(row.id) ?? null)), nextCursor };
}

/** Returns one chat. @throws AppError `not_found` for a conversation without messages */
export async function getChat(actor: Authorized<"turns:read">, conversationId: string): Promise<Chat> {
  await findConversation(actor, conversationId);
  const [row] = await chatRows().where(and(eq(runs.conversationId, conversationId), isLastRun()));
  if (!row) throw new AppError("not_found", "This conversation has no messages yet. POST /api/v1/agents/{id}/runs sends one.");
  return presentChat(row, null);
}
