import "server-only";
import { and, eq, like, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { contactAddresses, contacts } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { escapeLike } from "@/server/platform/database/like-pattern";

type ContactRow = typeof contacts.$inferSelect;

export type Sender = {
  workspaceId: string;
  messengerId: string;
  /** The platform's id of the person. */
  address: string;
  /** Empty where the platform did not say it; the name that is known stays. */
  name: string;
  /** The private chat, when the person writes there. */
  chat: string | null;
};

/**
 * Finds the contact who sent a message, and adds a person who is new.
 * @returns the contact, and the name that the person has there
 * @param isAdmitted whether a new person may write at once; otherwise the contact is inactive until an admin admits the person
 */
export async function knowSender(
  tx: Db,
  sender: Sender,
  { isAdmitted }: { isAdmitted: boolean },
): Promise<{ contact: ContactRow; name: string }> {
  const { workspaceId, messengerId, address, chat } = sender;
  const used = { lastUsedAt: sql`now()` };
  const [known] = await tx
    .update(contactAddresses)
    .set({ ...used, ...(sender.name === "" ? {} : { name: sender.name }), ...(chat === null ? {} : { chat }) })
    .where(and(eq(contactAddresses.messengerId, messengerId), eq(contactAddresses.address, address)))
    .returning();
  if (known) {
    // A message changes nothing that people know of a person.
    const unchanged = { updatedAt: contacts.updatedAt };
    const [contact] = await tx
      .update(contacts)
      .set({ ...used, ...unchanged })
      .where(eq(contacts.id, known.contactId))
      .returning();
    if (contact) return { contact, name: known.name || address };
  }
  const name = sender.name || address;
  const status = isAdmitted ? "active" : "inactive";
  const [added] = await tx
    .insert(contacts)
    .values({ workspaceId, name: await freeName(tx, workspaceId, name), status, reachableIds: [], ...used })
    .returning();
  if (!added) throw new Error("The contact was not inserted");
  await tx.insert(contactAddresses).values({ workspaceId, contactId: added.id, messengerId, address, name, chat, ...used });
  const data = { name: added.name, status, address };
  await record(tx, { workspaceId, event: "contact.created", actor: systemActor, subject: added.id, data });
  return { contact: added, name };
}

/** Returns the name, with a number behind it when somebody else has it. */
async function freeName(tx: Db, workspaceId: string, given: string): Promise<string> {
  const name = given.trim().slice(0, 90).trim() || "Somebody";
  // Two people of one name who write at the same moment must not take the same number.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contact names ${workspaceId}`}, 0))`);
  const taken = await tx
    .select({ name: contacts.name })
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), like(contacts.name, `${escapeLike(name)}%`)));
  const names = new Set(taken.map((row) => row.name));
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
