import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { messengerChats, messengerInbound, messengers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { groupCommit } from "@/server/platform/database/group-commit";
import { storableText } from "@/server/platform/database/storable";
import { processWide } from "@/server/platform/process-wide";
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
const maxCharacters = 200_000;
const maxFiles = 20;
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
  return db().transaction(async (tx) => {
    await takeNotices(tx, messenger, notices);
    return storeEventsIn(
      tx,
      messenger,
      given.map((event) => underNewId(event, notices)),
      cursor,
    );
  });
}

type Called = { messenger: MessengerRow; events: readonly InboundEvent[] };

const storing = () => processWide("messengers.storing", () => groupCommit<Called, null>(storeAll, { atMost: 32, beside: 2 }));

/** Stores the events of one call of a platform, together with those of calls that come at the same moment. */
export async function storeCalled(called: Called): Promise<void> {
  await storing()(called);
}

async function storeAll(calls: readonly Called[]): Promise<null[]> {
  const called = [...new Map(calls.map(({ messenger }) => [messenger.id, messenger])).values()];
  await db().transaction(async (tx) => {
    // In the order of their ids, so that two transactions never wait for each other's rows.
    for (const messenger of called.sort((one, other) => (one.id < other.id ? -1 : 1))) {
      const ofMessenger = calls.filter((call) => call.messenger.id === messenger.id);
      await storeEventsIn(
        tx,
        messenger,
        ofMessenger.flatMap(({ events }) => events),
      );
    }
  });
  return calls.map(() => null);
}

async function storeEventsIn(tx: Db, messenger: MessengerRow, events: readonly InboundEvent[], cursor?: string): Promise<number> {
  const chats = await storeChats(tx, messenger, events);
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
}

/** Stores the chats of events in the order of their keys, so that two transactions never wait for each other's rows. */
async function storeChats(tx: Db, messenger: MessengerRow, events: readonly InboundEvent[]): Promise<ReadonlyMap<string, ChatRow>> {
  if (events.length === 0) return new Map();
  const { title, replyTo, storedSinceLook } = messengerChats;
  const stored = await tx
    .insert(messengerChats)
    .values(distinctChats(events).map((event) => chatValues(messenger, event)))
    .onConflictDoUpdate({
      target: [messengerChats.messengerId, messengerChats.chat, messengerChats.thread],
      set: {
        lastReceivedAt: sql`now()`,
        storedSinceLook: sql`${storedSinceLook} + 1`,
        title: sql`coalesce(excluded.title, ${title})`,
        replyTo: sql`coalesce(excluded.reply_to, ${replyTo})`,
      },
    })
    .returning();
  return new Map(stored.map((chat) => [chatKey(chat), chat]));
}

/** A message may come together with the news that its chat has another id now. The id of the message holds in the old chat only. */
function underNewId(event: InboundEvent, notices: readonly Notice[]): InboundEvent {
  const move = notices.find((notice) => notice.kind === "moved" && notice.from === event.chat);
  return move?.kind === "moved" ? { ...event, chat: move.to, messageRef: null } : event;
}

const chatKey = ({ chat, thread = "" }: Pick<InboundEvent, "chat" | "thread">): string => `${storableText(chat)}\n${storableText(thread)}`;

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
    text: storableText(text.slice(0, maxCharacters)).toWellFormed(),
    files: files.slice(0, maxFiles).map((file) => ({ ...file, name: plainLine(file.name, 150) || "file" })),
    ...(refusal === undefined ? {} : { status: "refused" as const, error: refusal, doneAt: sql`now()` }),
  };
}
