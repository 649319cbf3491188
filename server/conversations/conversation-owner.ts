import "server-only";
import { type SQL, sql } from "drizzle-orm";
import { conversations } from "@/db/schema";
import { type ConversationRow, readConversation } from "./find-conversation";

const maxEndUserChars = 150;

/**
 * Returns the owner of what is said in a conversation: the person who opened it, or the end user whom an API caller names in
 * `metadata.endUserId`. A delegated conversation has the owner of the first one; schedules have `system`.
 */
export async function ownerOf(conversation: ConversationRow): Promise<string> {
  const root =
    conversation.rootConversationId && conversation.rootConversationId !== conversation.id
      ? await readConversation(conversation.rootConversationId)
      : conversation;
  const { createdBy, metadata, origin } = root ?? conversation;
  if (origin === "cron" || createdBy.type === "system") return "system";
  const endUser = metadata.endUserId;
  if (createdBy.type !== "user" && typeof endUser === "string" && endUser.trim() !== "") {
    return `api:${endUser.trim().slice(0, maxEndUserChars)}`;
  }
  return `${createdBy.type === "api_key" ? "api" : createdBy.type}:${createdBy.id}`;
}

/** The owner of a conversation that nobody handed on, as `ownerOf` says it. */
const ownerKeySql = sql<string>`case
  when ${conversations.origin} = 'cron' or ${conversations.createdBy} ->> 'type' = 'system' then 'system'
  when ${conversations.createdBy} ->> 'type' <> 'user' and jsonb_typeof(${conversations.metadata} -> 'endUserId') = 'string'
    and btrim(${conversations.metadata} ->> 'endUserId') <> ''
    then 'api:' || left(btrim(${conversations.metadata} ->> 'endUserId'), ${sql.raw(String(maxEndUserChars))})
  else case when ${conversations.createdBy} ->> 'type' = 'api_key' then 'api' else ${conversations.createdBy} ->> 'type' end
    || ':' || (${conversations.createdBy} ->> 'id') end`;

/** Condition for the conversations of an owner that no agent opened. */
export const belongsTo = (ownerKey: string): SQL => sql`(${conversations.parentConversationId} is null and ${ownerKeySql} = ${ownerKey})`;
