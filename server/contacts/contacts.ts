import "server-only";
import { asc, eq, inArray } from "drizzle-orm";
import { type AddressDraft, type Contact, contactEndpoints } from "@/contracts/messengers/contacts";
import type { Db } from "@/db/client";
import { contactAddresses, contacts as contactTable, messengers, users } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";

type Row = typeof contactTable.$inferSelect;
type Writer = Authorized<"contacts:write">;

/** People whom agents reach and to-dos mention. */
export const contacts = defineResource({
  table: contactTable,
  endpoints: contactEndpoints,
  noun: "contact",
  present: presentContacts,
  inAudit: ({ name, status, reachableIds, userId }) => ({ name, status, reachableIds, memberId: userId }),
  toColumns: ({ name, status, notes, reachableIds }) => ({ name, status, notes, reachableIds: [...new Set(reachableIds)] }),
  isUncached: true,
});

/** Adds an address of a person. @throws AppError `not_found`, `conflict` for an address of somebody else */
export async function addAddress(actor: Writer, contactId: string, { messengerId, address }: AddressDraft): Promise<Contact> {
  const { workspaceId, requestId } = actor;
  const adding = db().transaction(async (tx) => {
    const row = await contacts.find(workspaceId, contactId, tx);
    const [messenger] = await tx.select().from(messengers).where(eq(messengers.id, messengerId));
    if (messenger?.workspaceId !== workspaceId) throw new AppError("not_found", "This messenger does not exist. List the messengers.");
    const known = messenger.platform === "email" ? address.toLowerCase() : address;
    await tx.insert(contactAddresses).values({ workspaceId, contactId, messengerId, address: known });
    const data = { name: row.name, addressAdded: known, messenger: messenger.name };
    await record(tx, { workspaceId, event: "contact.updated", actor: toActorRef(actor), subject: contactId, data, requestId });
    return presentOne(row, tx);
  });
  return adding.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    const message = "belongs to a contact already. Remove it there first.";
    throw new AppError("conflict", `The address ${address} ${message}`, { errors: [{ path: "address", message }] });
  });
}

/** @throws AppError `not_found` */
export async function removeAddress(actor: Writer, contactId: string, addressId: string): Promise<Contact> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => {
    const row = await contacts.find(workspaceId, contactId, tx);
    const [address] = await tx.select().from(contactAddresses).where(eq(contactAddresses.id, addressId)).for("update");
    if (address?.contactId !== contactId) throw new AppError("not_found", "This contact has no such address. Reload the contact.");
    await tx.delete(contactAddresses).where(eq(contactAddresses.id, addressId));
    const data = { name: row.name, addressRemoved: address.address };
    await record(tx, { workspaceId, event: "contact.updated", actor: toActorRef(actor), subject: contactId, data, requestId });
    return presentOne(row, tx);
  });
}

/** Ends the link of a contact with a member. @throws AppError `not_found` */
export const unlinkContact = (actor: Writer, id: string): Promise<Contact> =>
  contacts.change(actor, id, { event: "contact.unlinked", set: { userId: null }, data: ({ name }) => ({ name }) });

async function presentOne(row: Row, tx: Db): Promise<Contact> {
  const [shown] = await presentContacts([row], tx);
  if (!shown) throw new Error("A contact was not presented");
  return shown;
}

/** Converts rows to their public form; no other code does. */
export async function presentContacts(rows: readonly Row[], tx: Db): Promise<Contact[]> {
  if (rows.length === 0) return [];
  const found = await tx
    .select({ address: contactAddresses, messenger: messengers.name, platform: messengers.platform })
    .from(contactAddresses)
    .innerJoin(messengers, eq(messengers.id, contactAddresses.messengerId))
    .where(
      inArray(
        contactAddresses.contactId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(contactAddresses.id));
  const memberIds = rows.flatMap(({ userId }) => userId ?? []);
  const members =
    memberIds.length === 0 ? [] : await tx.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, memberIds));
  const addressesOf = Map.groupBy(found, ({ address }) => address.contactId);
  return rows.map(({ id, name, status, notes, reachableIds, userId, lastUsedAt, version, createdAt, updatedAt }) => ({
    ...{ id, name, status, notes, reachableIds, version },
    member: members.find((member) => member.id === userId) ?? null,
    addresses: (addressesOf.get(id) ?? []).map(({ address, messenger, platform }) => ({
      id: address.id,
      messengerId: address.messengerId,
      messenger,
      platform,
      address: address.address,
      name: address.name,
      isReachable: address.chat !== null,
      lastUsedAt: address.lastUsedAt?.toISOString() ?? null,
    })),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}
