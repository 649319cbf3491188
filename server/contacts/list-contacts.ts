import "server-only";
import { and, asc, eq, exists, gt, ilike, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Contact, ContactFilter } from "@/contracts/messengers/contacts";
import { contactAddresses, contacts } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { containsPattern } from "@/server/platform/database/like-pattern";
import { presentContacts } from "./contacts";

type Page = { items: Contact[]; nextCursor: string | null };
const Cursor = z.tuple([z.uuid()]);

/** Lists the people who match a filter, in the order of their creation. */
export async function listContacts(
  { workspaceId }: Authorized<"turns:read">,
  { query = "", status, limit = 50, cursor }: ContactFilter & { limit?: number; cursor?: string | undefined },
): Promise<Page> {
  const found = await db()
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.workspaceId, workspaceId),
        status && eq(contacts.status, status),
        query === "" ? undefined : mentions(query),
        cursor === undefined ? undefined : gt(contacts.id, decodeCursor(cursor, Cursor)[0]),
      ),
    )
    .orderBy(asc(contacts.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: await presentContacts(rows, db()), nextCursor };
}

function mentions(query: string) {
  const pattern = containsPattern(query);
  const addresses = db()
    .select({ one: sql`1` })
    .from(contactAddresses)
    .where(
      and(eq(contactAddresses.contactId, contacts.id), or(ilike(contactAddresses.address, pattern), ilike(contactAddresses.name, pattern))),
    );
  return or(
    ilike(contacts.name, pattern),
    ilike(contacts.notes, pattern),
    sql`${contacts.reachableIds}::text ilike ${pattern}`,
    exists(addresses),
  );
}
