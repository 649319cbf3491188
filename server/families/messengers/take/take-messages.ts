import "server-only";
import { and, asc, eq, ilike, inArray, or, type SQL, sql } from "drizzle-orm";
import { contacts, messengerInbound } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { escapeLike } from "@/server/platform/database/like-pattern";
import { decideByClick } from "../approvals/decide-in-chat";
import { type ChatContext, type ContactRow, type InboundRow, loadChat, type Spoken } from "../chat-context";
import { holdChat } from "../hold-chat";
import { admit, ignoreAll, isForAgent } from "./admit-sender";
import { commandBeginnings, readCommand } from "./commands";
import { runCommand } from "./run-command";
import { takeTexts } from "./take-texts";

const maxRows = 200;

/** Takes what a chat has received: decisions and commands at once, messages for the agent in order. */
export async function takeMessages({ chatId }: { chatId: string }): Promise<void> {
  await holdChat(chatId, "receivingBy", {
    work: async () => {
      const context = await loadChat(chatId);
      if (!context) return new Set((await openRows(chatId)).map(({ id }) => id));
      return takeOpen(context);
    },
    openRows: async () => (await openRows(chatId)).map(({ id }) => id),
  });
}

const mayBeUrgent = or(
  eq(messengerInbound.kind, "click"),
  ...commandBeginnings.map((beginning) => ilike(sql`ltrim(${messengerInbound.text})`, `${escapeLike(beginning)}%`)),
);

/** The open rows of a chat in their order: the first ones, and the clicks and commands behind them. */
async function openRows(chatId: string): Promise<InboundRow[]> {
  const isOpen = and(eq(messengerInbound.chatId, chatId), inArray(messengerInbound.status, ["pending", "started"]));
  const where = (condition: SQL | undefined) =>
    db().select().from(messengerInbound).where(and(isOpen, condition)).orderBy(asc(messengerInbound.id)).limit(maxRows);
  const first = await where(undefined);
  if (first.length < maxRows) return first;
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...(await where(mayBeUrgent)).filter(({ id }) => !known.has(id))];
}

async function takeOpen(context: ChatContext): Promise<ReadonlySet<string>> {
  const rows = await openRows(context.chat.id);
  const addressed = rows.filter((row) => isForAgent(context, row));
  await ignoreAll(
    context,
    rows.filter((row) => !addressed.includes(row)),
  );
  const admitted = await admittedBefore(addressed);
  const spoken: Spoken[] = [];
  for (const row of addressed) {
    const found = await admit(context, row, admitted.get(row.contactId ?? "") ?? null);
    if (!found) continue;
    // A sender who is not confirmed may be anybody, so the message has no rights of a member.
    const contact = row.isVerified ? found : { ...found, userId: null };
    if (row.kind === "click") {
      await decideByClick(context, row, contact);
      continue;
    }
    const command = row.status === "pending" ? readCommand(row.text) : null;
    if (command) await runCommand(context, row, contact, command);
    else spoken.push({ row, contact });
  }
  if (spoken.length > 0) {
    // A command may have begun another conversation.
    const now = spoken.length === addressed.length ? context : await loadChat(context.chat.id);
    if (now) await takeTexts(now, spoken);
  }
  return new Set(rows.map(({ id }) => id));
}

/** The contacts of rows that were admitted by an earlier look, by their ids. */
async function admittedBefore(rows: readonly InboundRow[]): Promise<Map<string, ContactRow>> {
  const ids = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))];
  const found = ids.length === 0 ? [] : await db().select().from(contacts).where(inArray(contacts.id, ids));
  return new Map(found.map((contact) => [contact.id, contact]));
}
