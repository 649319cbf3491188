import "server-only";
import { and, desc, eq, exists, type SQL, sql } from "drizzle-orm";
import { artifacts, contactAddresses, messengerChats, messengerInbound, messengers as messengerTable, type PartContent } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { type CallScope, defineCapability } from "@/server/capabilities/define-capability";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { driverOf, type MessengerRow } from "./account";
import type { ChatRow } from "./chat-context";
import { chatOfConversation } from "./chat-of-conversation";
import { storeParts, textParts } from "./parts";
import { fileFault } from "./platforms";
import { reachContact } from "./reach-contact";

export type SentFile = { name: string; mediaType: string; bytes: Uint8Array; caption: string; as: "file" | "photo" | "voice" };
type Place = { chat: ChatRow; messenger: MessengerRow };

const maxSessions = 100;
/** Bytes that the tools of a messenger send. */
export const maxToolFileBytes = 20 * 1_048_576;

/** The messengers of the workspace, for its agents. */
export const messengersCapability = defineCapability({
  name: "messengers",
  title: "Messengers of the workspace",
  isOfConversation: true,
  create: ({ workspaceId, conversationId, callId, actor }: CallScope) => {
    const here = async (messengerId: string | null): Promise<Place> => {
      const found = await chatOfConversation(db(), conversationId);
      if (!found) throw new AppError("conflict", "This conversation is in no chat of a messenger. Use list_channel_sessions to find one.");
      if (messengerId && found.messenger.id !== messengerId)
        throw new AppError("conflict", `This conversation is on ${found.messenger.name}, which is another messenger.`);
      return found;
    };
    const chatOf = async (messengerId: string, chatId: string): Promise<Place> => {
      const [found] = await chatsOf(workspaceId, and(eq(messengerChats.messengerId, messengerId), eq(messengerChats.chat, chatId)));
      if (!found) throw new AppError("not_found", `This messenger has no chat ${chatId}. Use list_channel_sessions to find one.`);
      return found;
    };
    const store = (place: Place, content: PartContent) =>
      db().transaction((tx) => storeParts(tx, place.chat, [{ key: `call:${callId}`, content }]));
    return {
      /** Sends a file to the chat of the conversation, or to another chat of the messenger. @throws AppError */
      sendFile: async (messengerId: string | null, chatId: string | undefined, { bytes, ...file }: SentFile): Promise<string> => {
        const place = chatId && messengerId ? await chatOf(messengerId, chatId) : await here(messengerId);
        const fault = fileFault(place.messenger.platform, { mediaType: file.mediaType, bytes: bytes.byteLength });
        if (fault) throw new AppError("conflict", `${fault} Send another file, or say in words where it is.`);
        if (bytes.byteLength > maxToolFileBytes)
          throw new AppError("too_large", `The file is larger than ${maxToolFileBytes / 1_048_576} MiB. Send a smaller one.`);
        const kept = await blobs().put(Buffer.from(bytes));
        const { name, mediaType } = file;
        await db()
          .insert(artifacts)
          .values({ workspaceId, conversationId, callId, name, mediaType, bytes: kept.bytes, sha256: kept.sha256 });
        await store(place, { kind: "file", ...file, bytes: kept.bytes, sha256: kept.sha256 });
        return `${name} is on its way to ${titleOf(place.chat)}.`;
      },
      /** Adds a reaction to a message. @throws AppError */
      react: async (
        messengerId: string,
        chatId: string | undefined,
        asked: { messageRef: string | undefined; emoji: string; isBig: boolean },
      ) => {
        const place = chatId ? await chatOf(messengerId, chatId) : await here(messengerId);
        const messageRef = asked.messageRef ?? (await lastReceived(place.chat.id));
        if (!messageRef) throw new AppError("invalid", "There is no message here to react to. Name its message_id.");
        await store(place, { kind: "reaction", messageRef, emoji: asked.emoji, isBig: asked.isBig });
        return `Reacted with ${asked.emoji}.`;
      },
      /** The emoji of the workspace's own catalogue on the platform. */
      emojiNames: async (messengerId: string): Promise<ReadonlySet<string>> => {
        const [messenger] = await db().select().from(messengerTable).where(eq(messengerTable.id, messengerId));
        const driver = messenger ? await driverOf(messenger) : null;
        return (await driver?.emojiNames?.()) ?? new Set();
      },
      /** Lists the chats with a conversation, the last used first; for a contact the contact's own. */
      sessions: async (platform: string | undefined) => {
        const found = await chatsOf(workspaceId, actor.type === "contact" ? isOwnChatOf(actor.id) : undefined);
        return found
          .filter(({ chat, messenger }) => chat.conversationId !== null && (!platform || messenger.platform === platform))
          .map(({ chat, messenger }) => ({
            conversation_id: chat.conversationId,
            channel_type: messenger.platform,
            channel: messenger.name,
            kind: chat.kind,
            title: titleOf(chat),
            last_used: chat.lastReceivedAt?.toISOString() ?? null,
          }));
      },
      /** Sends a text to the chat of a conversation. @returns false when no chat has it */
      sendTo: async (target: string, text: string): Promise<boolean> => {
        const conversation = await readConversation(target);
        if (conversation?.workspaceId !== workspaceId) return false;
        const found = await chatOfConversation(db(), target);
        if (!found) return false;
        await db().transaction((tx) => storeParts(tx, found.chat, textParts(text, found.messenger.platform, `call:${callId}`)));
        return true;
      },
      /** Sends a text to a contact. @throws AppError */
      sendToContact: (asked: { contactId: string; chatId: string | undefined; text: string }) =>
        reachContact({ workspaceId, conversationId, callId, ...asked }),
    };
  },
});

function chatsOf(workspaceId: string, where: SQL | undefined) {
  return db()
    .select({ chat: messengerChats, messenger: messengerTable })
    .from(messengerChats)
    .innerJoin(messengerTable, eq(messengerTable.id, messengerChats.messengerId))
    .where(and(eq(messengerChats.workspaceId, workspaceId), where))
    .orderBy(desc(messengerChats.lastReceivedAt))
    .limit(maxSessions);
}

/** Condition for the private chats of a contact. */
const isOwnChatOf = (contactId: string): SQL =>
  exists(
    db()
      .select({ one: sql`1` })
      .from(contactAddresses)
      .where(
        and(
          eq(contactAddresses.contactId, contactId),
          eq(contactAddresses.messengerId, messengerChats.messengerId),
          eq(contactAddresses.chat, messengerChats.chat),
        ),
      ),
  );

const titleOf = ({ title, chat }: ChatRow): string => title ?? chat;

async function lastReceived(chatId: string): Promise<string | null> {
  const [row] = await db()
    .select({ messageRef: messengerInbound.messageRef })
    .from(messengerInbound)
    .where(and(eq(messengerInbound.chatId, chatId), eq(messengerInbound.kind, "message")))
    .orderBy(desc(messengerInbound.id))
    .limit(1);
  return row?.messageRef ?? null;
}
