import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerChats, messengerOutbound } from "@/db/schema";
import type { MessengerRow } from "../account";
import type { InboundEvent } from "../drivers/driver";

/** Finds the messages that reply to a message of ours in the same chat. */
export async function repliesToUs(tx: Db, { id }: MessengerRow, events: readonly InboundEvent[]): Promise<ReadonlySet<InboundEvent>> {
  const replies = events.filter(({ isMention, repliesTo }) => !isMention && repliesTo);
  if (replies.length === 0) return new Set();
  const refs = replies.flatMap(({ repliesTo }) => repliesTo ?? []);
  const sent = await tx
    .select({ messageRef: messengerOutbound.messageRef, chat: messengerChats.chat })
    .from(messengerOutbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerOutbound.chatId))
    .where(
      and(
        eq(messengerOutbound.messengerId, id),
        inArray(messengerOutbound.messageRef, refs),
        // The id of a reaction is that of a person's message.
        sql`${messengerOutbound.content} ->> 'kind' <> 'reaction'`,
      ),
    );
  return new Set(
    replies.filter((reply) => sent.some(({ messageRef, chat }) => messageRef === reply.repliesTo && isSameChat(chat, reply.chat))),
  );
}

/** Teams names a thread behind the id of its channel. Elsewhere ids of messages hold within one chat only. */
const isSameChat = (one: string, other: string): boolean => channelOf(one) === channelOf(other);
const channelOf = (chat: string): string => chat.split(";messageid=")[0] ?? chat;
