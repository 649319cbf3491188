import { env } from "@/server/platform/env";

/** The last characters of an id: its first ones are the time, and so equal for neighbours. */
export const shortIdOf = (approvalId: string): string => approvalId.replaceAll("-", "").slice(-6);

export const consoleLink = (approvalId: string): string => `${env().publicUrl.replace(/\/+$/, "")}/approvals?approval=${approvalId}`;

/** Names the card of an approval in a chat, so that it is sent there once. */
export const cardKeyOf = (approvalId: string, chatId: string): string => `card:${approvalId}:${chatId}`;
