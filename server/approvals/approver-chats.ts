import "server-only";
import type { NotificationStatus } from "@/contracts/notifications/notifications";
import type { Db } from "@/db/client";
import { processWide } from "@/server/platform/process-wide";

export type ApproverChat = { userId: string; chatId: string; title: string };
export type CardState = { status: NotificationStatus; error: string | null; attempts: number; sentAt: Date | null };

/** Private chats of members, in which an approval's card can be sent. The family of messengers provides them. */
export type ApproverChats = {
  /** Returns the chats of these members; the last used one of each. */
  find: (tx: Db, workspaceId: string, userIds: readonly string[]) => Promise<ApproverChat[]>;
  /** Stores the card of an approval for a chat, once whatever the number of calls. @returns the part; null for a chat that is gone */
  sendCard: (tx: Db, approvalId: string, chatId: string) => Promise<string | null>;
  /** Returns what came of cards, by part. */
  states: (partIds: readonly string[]) => Promise<ReadonlyMap<string, CardState>>;
  /** Sends a card again. */
  retry: (tx: Db, partId: string) => Promise<void>;
};

const none: ApproverChats = {
  find: async () => [],
  sendCard: async () => null,
  states: async () => new Map(),
  retry: async () => {},
};

const holder = () => processWide("approver-chats", () => ({ chats: none }));

export function provideApproverChats(chats: ApproverChats): void {
  holder().chats = chats;
}

export const approverChats = (): ApproverChats => holder().chats;
