import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { Contact, ContactDraft } from "@/contracts/todos";
import { contacts } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import { presentContact } from "./present-todo";

/** A model reads all contacts of the workspace with each to-do. */
const maxContacts = 200;

/** Lists the people of a workspace by name. */
export async function loadContacts(workspaceId: string): Promise<Contact[]> {
  const rows = await db().select().from(contacts).where(eq(contacts.workspaceId, workspaceId)).orderBy(asc(contacts.name));
  return rows.map(presentContact);
}

export const listContacts = async (actor: Authorized<"turns:read">): Promise<{ items: Contact[] }> => ({
  items: await loadContacts(actor.workspaceId),
});

/** Adds a person. @throws AppError `conflict` for a taken name, or at the limit */
export async function createContact(actor: Authorized<"todos:write">, draft: ContactDraft): Promise<Contact> {
  const { workspaceId, requestId } = actor;
  const change = db().transaction(async (tx) => {
    if ((await tx.$count(contacts, eq(contacts.workspaceId, workspaceId))) >= maxContacts) {
      throw new AppError("conflict", `A workspace has at most ${maxContacts} contacts. Remove one that is not needed any more.`);
    }
    const [row] = await tx
      .insert(contacts)
      .values({ ...draft, workspaceId })
      .returning();
    if (!row) throw new Error("The contact was not inserted");
    await record(tx, { workspaceId, event: "contact.added", actor: toActorRef(actor), subject: row.id, data: draft, requestId });
    return presentContact(row);
  });
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `There is a contact named "${draft.name}" already. Choose another name.`, {
      errors: [{ path: "name", message: "is taken" }],
    });
  });
}

/** @throws AppError `not_found` */
export async function removeContact(actor: Authorized<"todos:write">, id: string): Promise<void> {
  const { workspaceId, requestId } = actor;
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(contacts)
      .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)))
      .returning();
    if (!row) throw new AppError("not_found", "This contact does not exist. It may have been removed; list the contacts.");
    const { name, reachableIds } = row;
    await record(tx, {
      workspaceId,
      event: "contact.removed",
      actor: toActorRef(actor),
      subject: id,
      data: { name, reachableIds },
      requestId,
    });
  });
}
