import "server-only";
import { eq, sql } from "drizzle-orm";
import { messengerChats, messengerInbound, messengers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { storableText } from "@/server/platform/database/storable";
import { enqueue } from "@/server/platform/queue";
import type { MessengerRow } from "../account";
import type { ChatRow } from "../chat-context";
import type { InboundEvent, Notice } from "../drivers/driver";
import { chatQueue } from "../queues";
import { plainLine } from "../text/plain-line";
import { refuseEvent } from "./refuse-event";
import { repliesToUs } from "./replies-to-us";
import { takeNotices } from "./take-notices";

/** Characters of a message that are kept; no platform sends more in one. */
const mostCharacters = 200_000;
const mostFiles = 20;
/** The moment of the last message is written this often at most, because all chats of an account share the row. */
const seenEveryMs = 5_000;

/**
 * Stores events with the work that follows, and where the connection goes on, in one transaction. An event that is stored already changes
 * nothing, so a platform may send it any number of times.
 * @returns the number of new events
 */
export async function storeEvents(
  messenger: MessengerRow,
  given: readonly InboundEvent[],
  cursor?: string,
  notices: readonly Notice[] = [],
): Promise<number> {
  if (given.length === 0 && cursor === undefined && notices.length === 0) return 0;
  const events = given.map((event) => underNewId(event, notices));
  return db().transaction(async (tx) => {
    await takeNotices(tx, messenger, notices);
    const chats = new Map<string, ChatRow>();
    // In the order of their keys, so that two transactions never wait for each other's rows.
    for (const event of distinctChats(events)) {
      const [chat] = await tx
        .insert(messengerChats)
        .values(chatValues(messenger, event))
        .onConflictDoUpdate({
          target: [messengerChats.messengerId, messengerChats.chat, messengerChats.thread],
          set: {
            lastReceivedAt: sql`now()`,
            storedSinceLook: sql`${messengerChats.storedSinceLook} + 1`,
            ...(event.title ? { title: plainLine(event.title, 200) } : {}),
            ...(event.replyTo ? { replyTo: event.replyTo } : {}),
          },
        })
        .returning();
      if (!chat) throw new Error("The chat was not stored");
      chats.set(chatKey(event), chat);
    }
    const ours = await repliesToUs(tx, messenger, events);
    const rows = events.map((event) => ({
      ...inboundValues(messenger, event, chats.get(chatKey(event))?.id ?? ""),
      isMention: event.isMention || ours.has(event),
    }));
    const inserted =
      rows.length === 0
        ? []
        : await tx
            .insert(messengerInbound)
            .values(rows)
            .onConflictDoNothing({ target: [messengerInbound.messengerId, messengerInbound.key] })
            .returning({ id: messengerInbound.id, chatId: messengerInbound.chatId, key: messengerInbound.key });
    for (const event of events) {
      const row = event.refusal === undefined ? undefined : inserted.find(({ key }) => key === storableText(event.key));
      const chat = chats.get(chatKey(event));
      if (row && chat && event.refusal) await refuseEvent(tx, messenger, { inboundId: row.id, chat, event, refusal: event.refusal });
    }
    const { id, workspaceId } = messenger;
    // A later storing finds a look that is queued, and that will see its rows, because the look begins by setting the count to 0.
    const unlooked = [...chats.values()].filter(({ storedSinceLook }) => storedSinceLook === 1);
    await enqueue(
      tx,
      chatQueue,
      unlooked.map((chat) => ({ workspaceId, input: { chatId: chat.id } })),
    );
    const isStale = !messenger.lastReceivedAt || Date.now() - messenger.lastReceivedAt.getTime() > seenEveryMs;
    if (cursor !== undefined || (inserted.length > 0 && isStale)) {
      const seen = inserted.length > 0 ? { lastReceivedAt: sql`now()` } : {};
      await tx
        .update(messengers)
        .set({ ...seen, ...(cursor === undefined ? {} : { cursor }) })
        .where(eq(messengers.id, id));
    }
    return inserted.length;
  });
}

/** A message may come together with the news that its chat has another id now. The id of the message holds in the old chat only. */
function underNewId(event: InboundEvent, notices: readonly Notice[]): InboundEvent {
  const move = notices.find((notice) => notice.kind === "moved" && notice.from === event.chat);
  return move?.kind === "moved" ? { ...event, chat: move.to, messageRef: null } : event;
}

const chatKey = ({ chat, thread = "" }: InboundEvent): string => `${chat}\n${thread}`;

function distinctChats(events: readonly InboundEvent[]): InboundEvent[] {
  const byKey = new Map(events.map((event) => [chatKey(event), event]));
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
}

function chatValues({ id: messengerId, workspaceId }: MessengerRow, { place, chat, thread = "", title, replyTo }: InboundEvent) {
  return {
    ...{ messengerId, workspaceId, kind: place, chat: storableText(chat), thread: storableText(thread) },
    title: title ? plainLine(title, 200) : null,
    replyTo: replyTo ?? null,
    lastReceivedAt: sql`now()`,
    storedSinceLook: 1,
  };
}

function inboundValues({ id: messengerId, workspaceId }: MessengerRow, event: InboundEvent, chatId: string) {
  const { kind, key, messageRef, sender, text, isMention, isVerified = true, files, refusal } = event;
  return {
    ...{ messengerId, workspaceId, chatId, kind, isMention, isVerified },
    key: storableText(key),
    messageRef: messageRef === null ? null : storableText(messageRef),
    senderId: storableText(sender.id),
    senderName: plainLine(sender.name, 100),
    senderEmail: sender.email ? plainLine(sender.email, 200) : null,
    text: storableText(text.slice(0, mostCharacters)).toWellFormed(),
    files: files.slice(0, mostFiles).map((file) => ({ ...file, name: plainLine(file.name, 150) || "file" })),
    ...(refusal === undefined ? {} : { status: "refused" as const, error: refusal, doneAt: sql`now()` }),
  };
}
