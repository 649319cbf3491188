import "server-only";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { VisitAnswer } from "@/contracts/messengers/messengers";
import { messengerChats, messengerInbound, messengerOutbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { renderText } from "../text/text-styles";

const maxMessages = 100;

type Messages = NonNullable<VisitAnswer["messages"]>;
export type VisitorChat = { messages: Messages; isWorking: boolean };

/** Reads the chat of a visitor as the page shows it, oldest message first. */
export async function readVisitorChat(messengerId: string, chat: string): Promise<VisitorChat> {
  const [found] = await db()
    .select({ id: messengerChats.id })
    .from(messengerChats)
    .where(and(eq(messengerChats.messengerId, messengerId), eq(messengerChats.chat, chat)));
  if (!found) return { messages: [], isWorking: false };
  const [received, sent] = await Promise.all([readReceived(messengerId, found.id), readSent(messengerId, found.id)]);
  const messages = [...received, ...sent].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(-maxMessages);
  return { messages, isWorking: received.some(({ isOpen }) => isOpen) };
}

async function readReceived(messengerId: string, chatId: string) {
  const rows = await db()
    .select({ id: messengerInbound.id, text: messengerInbound.text, at: messengerInbound.receivedAt, status: messengerInbound.status })
    .from(messengerInbound)
    .where(and(eq(messengerInbound.messengerId, messengerId), eq(messengerInbound.chatId, chatId)))
    .orderBy(desc(messengerInbound.id))
    .limit(maxMessages);
  return rows.map(({ id, text, at, status }) => ({
    ...{ id, from: "visitor" as const, text, at: at.toISOString(), file: null },
    isOpen: status === "pending" || status === "started",
  }));
}

/** Texts, cards and files; the decision about a card stands in its place. */
async function readSent(messengerId: string, chatId: string): Promise<Messages> {
  const rows = await db()
    .select({ id: messengerOutbound.id, content: messengerOutbound.content, at: messengerOutbound.createdAt })
    .from(messengerOutbound)
    .where(
      and(
        eq(messengerOutbound.messengerId, messengerId),
        eq(messengerOutbound.chatId, chatId),
        inArray(sql<string>`${messengerOutbound.content} ->> 'kind'`, ["text", "card", "file", "edit"]),
      ),
    )
    .orderBy(desc(messengerOutbound.id))
    .limit(maxMessages);
  const edits = new Map(rows.toReversed().flatMap(({ content }) => (content.kind === "edit" ? [[content.partId, content.text]] : [])));
  return rows.flatMap(({ id, content, at }): Messages => {
    const placed = { id, from: "agent" as const, at: at.toISOString() };
    if (content.kind === "file") return [{ ...placed, text: content.caption ?? "", file: { name: content.name, bytes: content.bytes } }];
    if (content.kind !== "text" && content.kind !== "card") return [];
    return [{ ...placed, text: renderText(edits.get(id) ?? content.text, "plain"), file: null }];
  });
}
