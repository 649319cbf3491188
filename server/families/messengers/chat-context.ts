import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { agents, type contacts, messengerChats, type messengerInbound, messengers, users } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { actorFromRef } from "@/server/auth/actor-from-ref";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { driverOf, type MessengerRow } from "./account";
import type { Driver, Target } from "./drivers/driver";
import { type PlatformLimits, platformLimits } from "./platforms";

export type ChatRow = typeof messengerChats.$inferSelect;
export type InboundRow = typeof messengerInbound.$inferSelect;
export type ContactRow = typeof contacts.$inferSelect;

/** A chat with its messenger, as handlers of its messages use it. */
export type ChatContext = { chat: ChatRow; messenger: MessengerRow; driver: Driver; limits: PlatformLimits };

/** Loads a chat; null when its messenger was removed or is off. */
export async function loadChat(chatId: string): Promise<ChatContext | null> {
  const [found] = await db()
    .select({ chat: messengerChats, messenger: messengers })
    .from(messengerChats)
    .innerJoin(messengers, eq(messengers.id, messengerChats.messengerId))
    .where(eq(messengerChats.id, chatId));
  if (!found?.messenger.enabled) return null;
  return { ...found, driver: await driverOf(found.messenger), limits: platformLimits[found.messenger.platform] };
}

export const targetOf = ({ kind, chat, thread, replyTo }: ChatRow): Target => ({ kind, chat, thread: thread || null, replyTo });

/** The agent that answers in a chat; undefined when the workspace has none. */
export async function agentOfChat({ chat, messenger }: Pick<ChatContext, "chat" | "messenger">) {
  const wanted = chat.agentId ?? messenger.agentId;
  const found = await db().select().from(agents).where(eq(agents.workspaceId, messenger.workspaceId));
  return found.find(({ id }) => id === wanted) ?? found.find(({ isDefault }) => isDefault);
}

/** The member to whom a contact is linked, with the permissions of now; null for nobody. */
export async function memberOf({ userId, workspaceId }: ContactRow, requestId: string): Promise<Actor | null> {
  if (!userId) return null;
  const [user] = await db().select({ id: users.id, name: users.name }).from(users).where(eq(users.id, userId));
  if (!user) return null;
  return actorFromRef({ type: "user", ...user }, { workspaceId, requestId }).catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
}

export const contactRef = ({ id, name }: ContactRow): ActorRef => ({ type: "contact", id, name });

/**
 * For whom a contact's runs act: the linked member, who has rights of its own and decides what a requester may decide, and otherwise the
 * contact.
 */
export async function requesterOf(contact: ContactRow): Promise<ActorRef> {
  const member = await memberOf(contact, contact.id);
  return member?.permissions.has("turns:write") ? { type: "user", id: member.id, name: member.name } : contactRef(contact);
}

/** A message for the agent, with its sender. */
export type Spoken = { row: InboundRow; contact: ContactRow };
