import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { conversations, messengerChats, messengerInbound, messengerOutbound } from "@/db/schema";
import type { MessengerRow } from "../account";
import type { ChatRow } from "../chat-context";
import { lookAtChat, sendToChat } from "../queues";

type Move = { from: string; to: string };

/** Gives a chat the id that the platform gave it. Its conversation, its agent and what waits in it stay. */
export async function followMove(tx: Db, { id: messengerId, workspaceId }: MessengerRow, { from, to }: Move): Promise<void> {
  const named = (chat: string) => and(eq(messengerChats.messengerId, messengerId), eq(messengerChats.chat, chat));
  const moved = await tx.select().from(messengerChats).where(named(from)).for("update");
  for (const row of moved) {
    // Under its new id the chat has none of the messages that these ids name.
    for (const table of [messengerInbound, messengerOutbound])
      await tx.update(table).set({ messageRef: null }).where(eq(table.chatId, row.id));
    const [known] = await tx
      .select()
      .from(messengerChats)
      .where(and(named(to), eq(messengerChats.thread, row.thread)))
      .for("update");
    const kept = known ? await join(tx, row, known) : row;
    await tx.update(messengerChats).set({ chat: to }).where(eq(messengerChats.id, kept.id));
    await lookAtChat(tx, kept);
    await sendToChat(tx, kept);
  }
  if (moved.length === 0) return;
  const { place } = conversations;
  await tx
    .update(conversations)
    .set({ place: sql`${place} || ${JSON.stringify({ chat: to })}::jsonb` })
    .where(
      and(eq(conversations.workspaceId, workspaceId), sql`${place} ->> 'messengerId' = ${messengerId} and ${place} ->> 'chat' = ${from}`),
    );
}

/** Makes two rows of one chat the older one. */
async function join(tx: Db, one: ChatRow, other: ChatRow): Promise<ChatRow> {
  const [kept, gone] = one.id < other.id ? [one, other] : [other, one];
  for (const table of [messengerInbound, messengerOutbound])
    await tx.update(table).set({ chatId: kept.id }).where(eq(table.chatId, gone.id));
  await tx.delete(messengerChats).where(eq(messengerChats.id, gone.id));
  const joined = { conversationId: kept.conversationId ?? gone.conversationId, agentId: kept.agentId ?? gone.agentId };
  await tx.update(messengerChats).set(joined).where(eq(messengerChats.id, kept.id));
  return kept;
}
