import "server-only";
import { randomInt } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { LinkCode } from "@/contracts/messengers/contacts";
import type { Db } from "@/db/client";
import { contactLinkCodes, contacts, memberships, users } from "@/db/schema";
import { record } from "@/server/audit/record";
import type { Authorized } from "@/server/auth/actor";
import { sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

const validMinutes = 15;
/** Letters and digits that nobody mistakes for each other. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const codeLength = 10;

/** Makes a code for a member; earlier codes of the member end. @throws AppError `forbidden` for an API key */
export async function makeLinkCode(actor: Authorized<"turns:read">): Promise<LinkCode> {
  const { workspaceId, id: userId } = actor;
  if (actor.type !== "user") throw new AppError("forbidden", "Only a member can be linked with a chat. Sign in to the console.");
  const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  const expiresAt = new Date(Date.now() + validMinutes * 60_000);
  await db().transaction(async (tx) => {
    await tx.delete(contactLinkCodes).where(and(eq(contactLinkCodes.workspaceId, workspaceId), eq(contactLinkCodes.userId, userId)));
    await tx.insert(contactLinkCodes).values({ workspaceId, userId, hash: sha256(code), expiresAt });
  });
  return { code, expiresAt: expiresAt.toISOString() };
}

/**
 * Links a contact with the member who made the code. A code works once.
 * @returns the member's name; null for a code that is wrong, used or too old
 */
export async function redeemLinkCode(tx: Db, { workspaceId, contactId, code }: { workspaceId: string; contactId: string; code: string }) {
  const [used] = await tx
    .delete(contactLinkCodes)
    .where(
      and(
        eq(contactLinkCodes.workspaceId, workspaceId),
        eq(contactLinkCodes.hash, sha256(code.trim().toUpperCase())),
        gt(contactLinkCodes.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!used) return null;
  const [member] = await tx
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, used.userId)));
  if (!member) return null;
  const [linked] = await tx
    .update(contacts)
    .set({ userId: member.id, status: "active", version: sql`${contacts.version} + 1` })
    .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, contactId)))
    .returning();
  if (!linked) return null;
  await record(tx, {
    workspaceId,
    event: "contact.linked",
    actor: { type: "user", id: member.id, name: member.name },
    subject: contactId,
    data: { name: linked.name, memberId: member.id },
  });
  return member.name;
}

/** Removes codes that nobody can use any more. */
export async function removeOldLinkCodes(): Promise<void> {
  await db().delete(contactLinkCodes).where(lt(contactLinkCodes.expiresAt, sql`now()`));
}
