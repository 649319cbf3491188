import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { contactAddresses, contacts, messengerInbound } from "@/db/schema";
import { record } from "@/server/audit/record";
import { knowSender } from "@/server/contacts/know-sender";
import { db } from "@/server/platform/database/database";
import { tellHappening } from "@/server/platform/extension-points/happenings";
import { log } from "@/server/platform/log";
import { type ChatContext, type ContactRow, contactRef, type InboundRow } from "../chat-context";
import { endRow } from "../end-row";
import { notify } from "../parts";
import { plainLine } from "../text/plain-line";
import { type Command, readCommand } from "./commands";

/** Returns whether a message is for Handrail or its agent: in a group that needs a mention, the others are among its people. */
export function isForAgent({ messenger, chat }: ChatContext, row: InboundRow): boolean {
  if (row.kind !== "message" || row.status === "started") return true;
  if (chat.kind === "private" || row.isMention || !messenger.needsMention) return true;
  // Bare words, such as "approve", are said among people of a group, too.
  return row.text.trim().startsWith("/") && readCommand(row.text) !== null;
}

/** Ends messages that people of a group wrote to each other. */
export async function ignoreAll(context: ChatContext, rows: readonly InboundRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db().transaction(async (tx) => {
    for (const row of rows) if (await isWriter(tx, context, row)) await tellMessage(tx, context, row, false);
    await Promise.all(rows.map((row) => endRow(row, "ignored", { tx })));
  });
}

/**
 * Finds who wrote, and whether the person may.
 * @param known the contact, when an earlier look has admitted the message
 * @returns null for a message that ends here
 */
export async function admit(context: ChatContext, given: InboundRow, known: ContactRow | null): Promise<ContactRow | null> {
  if (given.status === "started") {
    if (!known) await endRow(given, "failed", { error: "The contact was removed." });
    return known;
  }
  const command = given.kind === "message" ? readCommand(given.text) : null;
  if (known && !refusalOf(context, given, known, command)) return known;
  const { messenger, chat } = context;
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
    const { contact, name: senderName } = await knowSender(tx, sender, { isAdmitted: writers === "anyone" });
    await tx
      .update(messengerInbound)
      .set({ contactId: contact.id, senderName, senderEmail: row.senderEmail })
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
    // Once an hour for each person, so that nobody makes the agent write without end. An unconfirmed sender may be forged.
    const hour = Math.floor(Date.now() / 3_600_000);
    if (chat.kind === "private" && row.isVerified) await notify(tx, chat, `refused:${contact.id}:${hour}`, refusal);
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
function tellMessage(tx: Db, { messenger, chat }: ContextOfMessage, row: InboundRow, isAddressed: boolean): Promise<void> {
  const { workspaceId, id: messengerId, name } = messenger;
  const sender = row.senderName || row.senderId;
  const place = chat.title ?? (chat.kind === "private" ? sender : chat.chat);
  const about = { kind: "message" as const, workspaceId, key: `message:${row.id}`, messengerId, messenger: name, isForAgent: isAddressed };
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
  return { ...row, senderName: plainLine(found?.name ?? "", 100), senderEmail: found?.email ? plainLine(found.email, 200) : null };
}
