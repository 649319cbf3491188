import "server-only";
import { and, desc, eq, isNotNull, or } from "drizzle-orm";
import { z } from "zod";
import { contactAddresses, contacts, messengerChats, messengerInbound, messengers } from "@/db/schema";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { storeParts, textParts } from "./parts";

type Asked = { workspaceId: string; conversationId: string; callId: string; contactId: string; chatId: string | undefined; text: string };

/**
 * Sends a text to a contact: to the named chat where the contact has it, otherwise to the private chat used last, and to a group only
 * where the contact has written.
 * @throws AppError `not_found`, `conflict` for a person who cannot be reached, or with whom the conversation is
 */
export async function reachContact({ workspaceId, conversationId, callId, contactId, chatId, text }: Asked) {
  const contact = await findContact(workspaceId, contactId);
  const here = await readConversation(conversationId);
  const places = await placesOf(workspaceId, contact.id);
  const wanted = chatId ? places.filter(({ chat }) => isNamed(chat.chat, chatId)) : [];
  // Private before group; both lists have the last used one first.
  const chosen = wanted[0] ?? places.find(({ chat }) => chat.kind === "private") ?? places[0];
  if (!chosen) {
    throw new AppError(
      "conflict",
      `${contact.name} cannot be reached: the person has not written on any messenger yet. Ask somebody who can be reached.`,
    );
  }
  const { chat, messenger } = chosen;
  if (here?.place?.messengerId === messenger.id && here.place.chat === chat.chat) {
    const field = chatId ? "chat_id" : "contact_id";
    throw new AppError("conflict", `contacts_send blocked: ${field} "${chatId ?? contactId}" matches current conversation counterpart`);
  }
  await db().transaction((tx) => storeParts(tx, chat, textParts(text, messenger.platform, `call:${callId}`)));
  return { outcome: "accepted", contact: contact.name, channel: messenger.name, chat: chat.title ?? chat.chat };
}

async function findContact(workspaceId: string, given: string) {
  const byId = z.uuid().safeParse(given).success ? eq(contacts.id, given) : undefined;
  const [contact] = await db()
    .select()
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), or(byId, eq(contacts.name, given))));
  if (!contact) throw new AppError("not_found", `There is no contact "${given.slice(0, 100)}". Contacts are named by id or name.`);
  if (contact.status !== "active") throw new AppError("conflict", `${contact.name} is inactive. An admin can activate the contact.`);
  return contact;
}

/** `tg:4711`, `slack:T1:C1` and the bare id name the same chat. */
const isNamed = (chat: string, given: string): boolean => chat === given || chat === given.split(":").at(-1);

/** The chats in which a contact was: private ones and groups, the last used one first. */
async function placesOf(workspaceId: string, contactId: string) {
  const own = await db()
    .select({ chat: messengerChats, messenger: messengers })
    .from(contactAddresses)
    .innerJoin(messengers, eq(messengers.id, contactAddresses.messengerId))
    .innerJoin(messengerChats, and(eq(messengerChats.messengerId, messengers.id), eq(messengerChats.chat, contactAddresses.chat)))
    .where(and(eq(contactAddresses.contactId, contactId), isNotNull(contactAddresses.chat), eq(messengers.enabled, true)))
    .orderBy(desc(messengerChats.lastReceivedAt));
  const groups = await db()
    .selectDistinctOn([messengerChats.id], { chat: messengerChats, messenger: messengers })
    .from(messengerInbound)
    .innerJoin(messengerChats, eq(messengerChats.id, messengerInbound.chatId))
    .innerJoin(messengers, eq(messengers.id, messengerChats.messengerId))
    .where(and(eq(messengerInbound.workspaceId, workspaceId), eq(messengerInbound.contactId, contactId), eq(messengers.enabled, true)));
  return [...own, ...groups.filter(({ chat }) => chat.kind !== "private")];
}
