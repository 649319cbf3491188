import "server-only";
import { and, desc, eq, exists, ilike, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Chat, ChatFilter } from "@/contracts/chats";
import { conversations, runMessages, runs } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { chosenTitle } from "@/server/conversations/conversation-title";
import { findConversation } from "@/server/conversations/find-conversation";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { containsPattern } from "@/server/platform/like-pattern";
import { chatRows, isLastRun, presentChat } from "./chat-rows";

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
  const excerpts = query
    ? await excerptsOf(
        rows.map(({ id }) => id),
        query,
      )
    : new Map<string, string>();
  return { items: rows.map((row) => presentChat(row, excerpts.get(row.id) ?? null)), nextCursor };
}

/** Returns one chat. @throws AppError `not_found` for a conversation without messages */
export async function getChat(actor: Authorized<"turns:read">, conversationId: string): Promise<Chat> {
  await findConversation(actor, conversationId);
  const [row] = await chatRows().where(and(eq(runs.conversationId, conversationId), isLastRun()));
  if (!row) throw new AppError("not_found", "This conversation has no messages yet. POST /api/v1/agents/{id}/runs sends one.");
  return presentChat(row, null);
}

const searched = alias(runs, "searched_runs");
const messageText = sql<string>`${runMessages.content} ->> 'text'`;
/** Results of tools are left out: people remember what was said, not what a tool returned. */
const isSaid = (query: string): SQL | undefined =>
  and(inArray(runMessages.role, ["user", "assistant"]), ilike(messageText, containsPattern(query)), sql`${searched.supersededBy} is null`);

function messagesWith(query: string) {
  return db()
    .select({ one: sql`1` })
    .from(searched)
    .innerJoin(runMessages, eq(runMessages.runId, searched.id))
    .where(and(eq(searched.conversationId, conversations.id), isSaid(query)));
}

const beforeMatch = 40;
const excerptLength = 160;

/** Returns, for each conversation, the text around the first place that holds the words. */
async function excerptsOf(conversationIds: readonly string[], query: string): Promise<Map<string, string>> {
  if (conversationIds.length === 0) return new Map();
  const place = sql`position(lower(${query}) in lower(${messageText}))`;
  const rows = await db()
    .selectDistinctOn([searched.conversationId], {
      conversationId: searched.conversationId,
      text: sql<string>`substring(${messageText} from greatest(1, ${place} - ${beforeMatch}) for ${excerptLength})`,
    })
    .from(searched)
    .innerJoin(runMessages, eq(runMessages.runId, searched.id))
    .where(and(inArray(searched.conversationId, [...conversationIds]), isSaid(query)))
    .orderBy(searched.conversationId, searched.id, runMessages.position);
  return new Map(rows.map(({ conversationId, text }) => [conversationId, text.replace(/\s+/g, " ").trim()]));
}
