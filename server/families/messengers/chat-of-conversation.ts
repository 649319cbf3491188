import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, messengerChats, messengers } from "@/db/schema";

/** The chat in which a conversation lives, or the conversation whose agent handed the task on. */
export async function chatOfConversation(tx: Db, conversationId: string) {
  const [conversation] = await tx
    .select({ place: conversations.place, root: conversations.rootConversationId })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
  const place =
    conversation?.place ??
    (conversation?.root
      ? (await tx.select({ place: conversations.place }).from(conversations).where(eq(conversations.id, conversation.root)))[0]?.place
      : null);
  if (!place) return undefined;
  const [found] = await tx
    .select({ chat: messengerChats, messenger: messengers })
    .from(messengerChats)
    .innerJoin(messengers, eq(messengers.id, messengerChats.messengerId))
    .where(
      and(
        eq(messengerChats.messengerId, place.messengerId),
        eq(messengerChats.chat, place.chat),
        eq(messengerChats.thread, place.thread ?? ""),
      ),
    );
  return found;
}
