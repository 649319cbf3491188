import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { contactAddresses, contacts, messengerInbound } from "@/db/schema";
import { record } from "@/server/audit/record";
import { knowSender } from "@/server/contacts/know-sender";
import { db } from "@/server/platform/database/database";
import { tellHappening } from "@/server/platform/extension-points/happenings";
import { log } from "@/server/platform/log";
import { decideByClick } from "./approvals/decide-in-chat";
import { type ChatContext, type ContactRow, contactRef, type InboundRow, loadChat, type Spoken } from "./chat-context";
import { type Command, readCommand } from "./commands";
import { endRow } from "./end-row";
import { holdChat } from "./hold-chat";
import { notify } from "./parts";
import { runCommand } from "./run-command";
import { takeTexts } from "./take-texts";
import { plainLine } from "./text/plain-line";

const mostRows = 200;

/** Takes what a chat has received: decisions and commands at once, messages for the agent in order. */
export async function takeMessages({ chatId }: { chatId: string }): Promise<void> {
  await holdChat(chatId, "receivingBy", {
    work: async () => {
      const context = await loadChat(chatId);
      if (!context) return new Set(await openIds(chatId));
      return takeOpen(context);
    },
    openRows: () => openIds(chatId),
  });
}

const isOpen = (chatId: string) => and(eq(messengerInbound.chatId, chatId), inArray(messengerInbound.status, ["pending", "started"]));

const openIds = async (chatId: string): Promise<string[]> =>
  (
    await db()
      .select({ id: messengerInbound.id })
      .from(messengerInbound)
      .where(isOpen(chatId))
      .orderBy(asc(messengerInbound.id))
      .limit(mostRows)
  ).map(({ id }) => id);

async function takeOpen(context: ChatContext): Promise<ReadonlySet<string>> {
  const rows = await db().select().from(messengerInbound).where(isOpen(context.chat.id)).orderBy(asc(messengerInbound.id)).limit(mostRows);
  const spoken: Spoken[] = [];
  for (const row of rows) {
    const found = row.status === "started" ? await contactOf(row) : await admit(context, row);
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
  // A command may have begun another conversation.
  const now = await loadChat(context.chat.id);
  if (now) await takeTexts(now, spoken);
  return new Set(rows.map(({ id }) => id));
}

/** The contact of a row that was admitted before. */
async function contactOf({ contactId }: InboundRow): Promise<ContactRow | null> {
  if (!contactId) return null;
  const [found] = await db().select().from(contacts).where(eq(contacts.id, contactId));
  return found ?? null;
}

/** Finds who wrote, and whether the person may. @returns null for a message that ends here */
async function admit(context: ChatContext, given: InboundRow): Promise<ContactRow | null> {
  const { messenger, chat } = context;
  // Bare words, such as "approve", are said among people of a group, too.
  const isForHandrail = chat.kind === "private" || given.isMention || !messenger.needsMention || given.text.trim().startsWith("/");
  const command = given.kind === "message" && isForHandrail ? readCommand(given.text) : null;
  if (given.kind === "message" && chat.kind !== "private" && messenger.needsMention && !given.isMention && !command) {
    await db().transaction(async (tx) => {
      if (await isWriter(tx, context, given)) await tellMessage(tx, context, given, false);
      await endRow(given, "ignored", { tx });
    });
    return null;
  }
  const row = await named(context, given);
  return db().transaction(async (tx) => {
    const { workspaceId, id: messengerId, writers } = messenger;
    const sender = {
      workspaceId,
      messengerId,
      address: row.senderId,
      name: row.senderName,
      chat: chat.kind === "private" ? chat.chat : null,
    };
    const contact = await knowSender(tx, sender, { isAdmitted: writers === "anyone" });
    await tx
      .update(messengerInbound)
      .set({ contactId: contact.id, senderName: row.senderName, senderEmail: row.senderEmail })
      .where(eq(messengerInbound.id, row.id));
    const refusal = refusalOf(context, row, contact, command);
    if (!refusal) {
      if (row.kind === "message" && !command) await tellMessage(tx, context, row, true);
      return contact;
    }
    await tx
      .update(messengerInbound)
      .set({ status: "refused", error: refusal, doneAt: sql`now()`, text: "" })
      .where(eq(messengerInbound.id, row.id));
    await record(tx, {
      workspaceId,
      event: "messenger.message_refused",
      actor: contactRef(contact),
      subject: messengerId,
      data: { messenger: messenger.name, sender: row.senderId, reason: refusal },
    });
    // Once an hour for each person, so that nobody makes the agent write without end.
    const hour = Math.floor(Date.now() / 3_600_000);
    if (chat.kind === "private") await notify(tx, chat, `refused:${contact.id}:${hour}`, refusal);
    return null;
  });
}

/** Returns whether the person may write to the messenger: triggers do not follow strangers where only contacts or members may write. */
async function isWriter(tx: Db, { messenger: { id, writers } }: ContextOfMessage, { senderId }: InboundRow): Promise<boolean> {
  if (writers === "anyone") return true;
  const [contact] = await tx
    .select({ status: contacts.status, userId: contacts.userId })
    .from(contactAddresses)
    .innerJoin(contacts, eq(contacts.id, contactAddresses.contactId))
    .where(and(eq(contactAddresses.messengerId, id), eq(contactAddresses.address, senderId)));
  return contact?.status === "active" && (writers === "contacts" || contact.userId !== null);
}

/** Lets triggers follow a message, in the transaction in which it is admitted or left to the people of its group. */
function tellMessage(tx: Db, { messenger, chat }: ContextOfMessage, row: InboundRow, isForAgent: boolean): Promise<void> {
  const { workspaceId, id: messengerId, name } = messenger;
  const sender = row.senderName || row.senderId;
  const place = chat.title ?? (chat.kind === "private" ? sender : chat.chat);
  const about = { kind: "message" as const, workspaceId, key: `message:${row.id}`, messengerId, messenger: name, isForAgent };
  return tellHappening(tx, { ...about, chat: place, sender, senderId: row.senderId, text: row.text });
}

type ContextOfMessage = Pick<ChatContext, "messenger" | "chat">;

function refusalOf({ messenger }: ChatContext, row: InboundRow, contact: ContactRow, command: Command | null): string | null {
  if (!row.isVerified && (messenger.writers !== "anyone" || command?.name === "link"))
    return "Your mail server did not confirm that you sent this (DMARC), so it was not read. Ask an admin.";
  // Whoever has a code proves by it to be a member.
  if (command?.name === "link") return null;
  if (contact.status !== "active") return "You are not admitted here yet. An admin can activate you on the page Contacts.";
  if (messenger.writers === "members" && !contact.userId)
    return "Only members may write here. Make a code on the page Contacts, and send: /link <code>";
  return null;
}

/** Looks up a sender whose name the platform did not send. A failing look-up loses no message. */
async function named({ driver }: ChatContext, row: InboundRow): Promise<InboundRow> {
  if (row.senderName !== "" || !driver.sender) return row;
  const found = await driver.sender(row.senderId).catch((error: unknown) => {
    log().debug({ err: error }, "a sender's name could not be looked up");
    return null;
  });
  const senderName = plainLine(found?.name ?? "", 100) || row.senderId;
  return { ...row, senderName, senderEmail: found?.email ? plainLine(found.email, 200) : null };
}
