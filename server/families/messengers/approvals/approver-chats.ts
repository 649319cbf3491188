import "server-only";
import { and, desc, eq, inArray, notInArray } from "drizzle-orm";
import { messengerPlatforms, platformFacts } from "@/contracts/messengers/messenger-platforms";
import { approvals, contactAddresses, contacts, messengerChats, messengerOutbound, messengers } from "@/db/schema";
import type { ApproverChat, ApproverChats, CardState } from "@/server/approvals/approver-chats";
import { db } from "@/server/platform/database/database";
import { storeParts } from "../parts";
import { platformTitle } from "../place-of-chat";
import { sendToChat } from "../queues";
import { cardOf } from "./approval-card";
import { cardKeyOf } from "./approval-words";

const visitedPlatforms = messengerPlatforms.filter((platform) => platformFacts[platform].isVisited);

/** Linked private chats of members. A chat in which the work was ordered has the card already, under the same key. */
export const linkedChats: ApproverChats = {
  async find(tx, workspaceId, userIds) {
    const rows = await tx
      .select({ userId: contacts.userId, chatId: messengerChats.id, platform: messengers.platform, name: contactAddresses.name })
      .from(contacts)
      .innerJoin(contactAddresses, eq(contactAddresses.contactId, contacts.id))
      .innerJoin(messengers, and(eq(messengers.id, contactAddresses.messengerId), eq(messengers.enabled, true)))
      .innerJoin(
        messengerChats,
        and(
          eq(messengerChats.messengerId, contactAddresses.messengerId),
          eq(messengerChats.chat, contactAddresses.chat),
          eq(messengerChats.kind, "private"),
        ),
      )
      .where(
        and(
          eq(contacts.workspaceId, workspaceId),
          eq(contacts.status, "active"),
          inArray(contacts.userId, [...userIds]),
          // A card there says nothing of the call.
          notInArray(messengers.platform, visitedPlatforms),
        ),
      )
      .orderBy(desc(contactAddresses.lastUsedAt), desc(messengerChats.lastReceivedAt));
    const last = new Map<string, ApproverChat>();
    for (const { userId, chatId, platform, name } of rows)
      if (userId && !last.has(userId)) last.set(userId, { userId, chatId, title: `${platformTitle(platform)}: ${name}` });
    return [...last.values()];
  },

  async sendCard(tx, approvalId, chatId) {
    const [approval] = await tx.select().from(approvals).where(eq(approvals.id, approvalId));
    const [found] = await tx
      .select({ chat: messengerChats, messenger: messengers })
      .from(messengerChats)
      .innerJoin(messengers, eq(messengers.id, messengerChats.messengerId))
      .where(eq(messengerChats.id, chatId));
    if (!approval || !found) return null;
    const key = cardKeyOf(approvalId, chatId);
    await storeParts(tx, found.chat, [{ key, approvalId, content: cardOf(approval, found.messenger) }]);
    const [part] = await tx
      .select({ id: messengerOutbound.id })
      .from(messengerOutbound)
      .where(and(eq(messengerOutbound.messengerId, found.messenger.id), eq(messengerOutbound.key, key)));
    return part?.id ?? null;
  },

  async states(partIds) {
    const rows = await db()
      .select()
      .from(messengerOutbound)
      .where(inArray(messengerOutbound.id, [...partIds]));
    return new Map(rows.map(({ id, status, error, attempts, sentAt }) => [id, { status, error, attempts, sentAt } satisfies CardState]));
  },

  async retry(tx, partId) {
    const [part] = await tx
      .update(messengerOutbound)
      .set({ status: "pending", attempts: 0, nextAttemptAt: null, error: null, claimedBy: null })
      .where(and(eq(messengerOutbound.id, partId), inArray(messengerOutbound.status, ["failed", "unknown"])))
      .returning();
    if (part) await sendToChat(tx, { id: part.chatId, workspaceId: part.workspaceId });
  },
};
