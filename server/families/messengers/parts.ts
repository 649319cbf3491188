import "server-only";
import type { MessengerPlatform } from "@/contracts/messengers/messenger-platforms";
import type { Db } from "@/db/client";
import { messengerOutbound, type PartContent } from "@/db/schema";
import { storableText } from "@/server/platform/database/storable";
import type { ChatRow } from "./chat-context";
import { platformLimits } from "./platforms";
import { sendToChat } from "./queues";
import { splitText } from "./text/split-text";
import { renderText } from "./text/text-styles";

export type NewPart = { key: string; content: PartContent; runId?: string; approvalId?: string };

/** Stores parts and queues their sending in the caller's transaction. A part with a known key is stored once. */
export async function storeParts(tx: Db, chat: ChatRow, parts: readonly NewPart[]): Promise<void> {
  if (parts.length === 0) return;
  const { id: chatId, messengerId, workspaceId } = chat;
  const stored = await tx
    .insert(messengerOutbound)
    .values(parts.map((part) => ({ ...part, chatId, messengerId, workspaceId })))
    .onConflictDoNothing({ target: [messengerOutbound.messengerId, messengerOutbound.key] })
    .returning({ id: messengerOutbound.id });
  if (stored.length > 0) await sendToChat(tx, chat);
}

/** Splits a text of Markdown into the parts that a platform takes. */
export function textParts(markdown: string, platform: MessengerPlatform, key: string): NewPart[] {
  const { text, style } = platformLimits[platform];
  const pieces = splitText(storableText(markdown), text, (piece) => renderText(piece, style).length);
  return pieces.map((piece, index) => ({ key: `${key}:${index}`, content: { kind: "text", text: piece } }));
}

/** A short message of Handrail itself in a chat, such as the answer to a command. */
export async function notify(tx: Db, chat: ChatRow, key: string, text: string): Promise<void> {
  await storeParts(tx, chat, [{ key, content: { kind: "text", text } }]);
}
