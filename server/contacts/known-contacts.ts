import "server-only";
import { and, desc, eq, inArray } from "drizzle-orm";
import { contactAddresses, contacts, messengers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { writtenAddress } from "./written-address";

/** A person as agents know the person. */
export type KnownContact = { id: string; name: string; notes: string; reachableIds: string[] };

/** A model reads all of them with each to-do. */
const maxContacts = 200;

/** Loads the active contacts of a workspace with the addresses that texts may name, the last used ones, by name. */
export async function loadKnownContacts(workspaceId: string): Promise<KnownContact[]> {
  const rows = await db()
    .select()
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.status, "active")))
    .orderBy(desc(contacts.lastUsedAt), desc(contacts.id))
    .limit(maxContacts);
  const addresses = await db()
    .select({ contactId: contactAddresses.contactId, address: contactAddresses.address, platform: messengers.platform })
    .from(contactAddresses)
    .innerJoin(messengers, eq(messengers.id, contactAddresses.messengerId))
    .where(
      inArray(
        contactAddresses.contactId,
        rows.map(({ id }) => id),
      ),
    );
  const byContact = Map.groupBy(addresses, ({ contactId }) => contactId);
  return rows
    .map(({ id, name, notes, reachableIds }) => ({
      ...{ id, name, notes },
      reachableIds: [...new Set([...reachableIds, ...(byContact.get(id) ?? []).flatMap((address) => writtenAddress(address) ?? [])])],
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
