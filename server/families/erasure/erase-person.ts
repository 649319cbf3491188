import "server-only";
import { rm } from "node:fs/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { apiKeys, contacts, erasureItems, erasures, memberships, sessions, users } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, requirePermission } from "@/server/auth/actor";
import { usableKeysOf } from "@/server/auth/api-keys/revoke-api-key";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { allForgetting, type Forgetting, type RunningErasure } from "@/server/platform/extension-points/forget-person";
import { log } from "@/server/platform/log";
import { removeConversation } from "@/server/turns/remove-conversation";
import { erasedName, overwriteNames } from "./actor-names";
import { personalTables, removeRows, titleOf } from "./personal-rows";
import { removeBlobs } from "./remove-blobs";
import { subjectOf } from "./subjects";

type Row = typeof erasures.$inferSelect;

/**
 * Carries out an erasure. Each part commits by itself with what has to follow it, so that an attempt after a crash goes on where
 * the one before stopped.
 */
export async function erasePerson({ erasureId }: { erasureId: string }): Promise<void> {
  const [row] = await db().select().from(erasures).where(eq(erasures.id, erasureId));
  if (row?.status !== "running") return;
  const erasure = runningErasure(row);
  await step(erasure, "Conversations and what belongs to them");
  while ((await noteConversations(erasure)) > 0) await eraseConversations(erasure);
  await eraseRows(erasure);
  await forgetAll(erasure, "first");
  await step(erasure, "The person");
  await db().transaction((tx) => erasePersonRow(tx, erasure));
  await db().transaction(async (tx) => addCounts(tx, erasure, await overwriteNames(tx, erasure)));
  await step(erasure, "Files and artifacts");
  await removeBlobs(erasureId);
  // Work that ran while its conversation went may have written since.
  await eraseRows(erasure);
  await forgetAll(erasure, "first");
  await forgetAll(erasure, "last");
  await db().transaction((tx) => finish(tx, erasure));
  log().info({ erasureId, workspaceId: erasure.workspaceId }, "an erasure is done");
}

function runningErasure({ id, workspaceId, kind, personId, requestedBy }: Row): RunningErasure {
  const items = (what: string) => sql`from erasure_items i where i.erasure_id = ${id}::uuid and i.kind = ${what}`;
  return {
    ...{ workspaceId, kind, id: personId, erasureId: id, by: requestedBy },
    conversations: sql`select i.name::uuid ${items("conversation")}`,
    rows: sql`select i.name ${items("row")}`,
  };
}

/** Notes the conversations that the person has now. @returns the number of those that are still to be erased */
async function noteConversations({ erasureId, ...named }: RunningErasure): Promise<number> {
  await db().execute(sql`insert into erasure_items (erasure_id, kind, name)
    select ${erasureId}::uuid, 'conversation', own.id::text from (${subjectOf(named).conversations}) as own on conflict do nothing`);
  return db().$count(erasureItems, openConversations(erasureId));
}

const openConversations = (erasureId: string) =>
  and(eq(erasureItems.erasureId, erasureId), eq(erasureItems.kind, "conversation"), eq(erasureItems.isDone, false));

async function eraseConversations(erasure: RunningErasure): Promise<void> {
  await eraseRows(erasure);
  const actor = remover(erasure);
  for (const { name } of await db().select().from(erasureItems).where(openConversations(erasure.erasureId))) {
    await removeConversation(actor, name).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "not_found")) throw error;
    });
    await rm(workspaceFolder({ id: name, workspaceId: erasure.workspaceId }, { sharedFolder: null }), {
      recursive: true,
      force: true,
      maxRetries: 5,
    });
    await db().transaction(async (tx) => {
      const isIt = and(openConversations(erasure.erasureId), eq(erasureItems.name, name));
      await tx.update(erasureItems).set({ isDone: true }).where(isIt);
      await addCounts(tx, erasure, { conversations: 1 });
    });
  }
}

async function eraseRows(erasure: RunningErasure): Promise<void> {
  for (const rows of personalTables())
    await untilNone(erasure, async (tx) => countOf(titleOf(rows.table), await removeRows(tx, rows, erasure)));
}

/** The one who asked for the erasure, who may have left since. */
function remover({ by, workspaceId }: RunningErasure): Authorized<"turns:write"> {
  const permissions = new Set(["turns:write"] as const);
  return requirePermission({ ...by, workspaceId, role: null, permissions, agentId: null, personId: by.id, requestId: null }, "turns:write");
}

async function forgetAll(erasure: RunningErasure, order: Forgetting["order"]): Promise<void> {
  for (const forgetting of allForgetting().filter((one) => one.order === order)) {
    await step(erasure, forgetting.title);
    await untilNone(erasure, (tx) => forgetting.forget(tx, erasure));
  }
}

/** Repeats a part in transactions of its own until it removes nothing any more. */
async function untilNone(erasure: RunningErasure, part: (tx: Db) => Promise<Record<string, number>>): Promise<void> {
  const once = () =>
    db().transaction(async (tx) => {
      const gone = await part(tx);
      await addCounts(tx, erasure, gone);
      return Object.values(gone).some((rows) => rows > 0);
    });
  while (await once());
}

const countOf = (title: string, rows: number) => (rows > 0 ? { [title]: rows } : {});

async function addCounts(tx: Db, { erasureId }: RunningErasure, gone: Record<string, number>): Promise<void> {
  const { "audit events": events = 0, ...others } = Object.fromEntries(Object.entries(gone).filter(([, rows]) => rows > 0));
  if (events === 0 && Object.keys(others).length === 0) return;
  const [row] = await tx.select({ counts: erasures.counts }).from(erasures).where(eq(erasures.id, erasureId)).for("update");
  const counts = { ...row?.counts };
  for (const [title, rows] of Object.entries(others)) counts[title] = (counts[title] ?? 0) + rows;
  await tx
    .update(erasures)
    .set({ counts, auditEvents: sql`${erasures.auditEvents} + ${events}` })
    .where(eq(erasures.id, erasureId));
}

const step = ({ erasureId }: RunningErasure, text: string) => db().update(erasures).set({ step: text }).where(eq(erasures.id, erasureId));

/** Removes the contact, or the name and address of a user whom no other workspace knows. */
async function erasePersonRow(tx: Db, { workspaceId, kind, id }: RunningErasure): Promise<void> {
  if (kind === "contact") await tx.delete(contacts).where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)));
  if (kind !== "member") return;
  // A restored backup gives them back.
  await tx.delete(memberships).where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, id)));
  await tx.delete(sessions).where(and(eq(sessions.workspaceId, workspaceId), eq(sessions.userId, id)));
  await tx.update(apiKeys).set({ revokedAt: sharedNow() }).where(usableKeysOf(workspaceId, id));
  if ((await tx.$count(memberships, eq(memberships.userId, id))) > 0) return;
  await tx
    .update(users)
    .set({ name: erasedName, email: `${id}@erased.invalid`, passwordHash: null, lastSignInAt: null })
    .where(eq(users.id, id));
}

async function finish(tx: Db, { erasureId, workspaceId, kind, id, by }: RunningErasure): Promise<void> {
  const [row] = await tx
    .update(erasures)
    .set({ status: "done", step: "Done", finishedAt: sql`now()` })
    .where(and(eq(erasures.id, erasureId), eq(erasures.status, "running")))
    .returning();
  if (!row) return;
  const data = { kind, erasure: erasureId, counts: row.counts, auditEvents: row.auditEvents };
  await record(tx, { workspaceId, event: "person.erased", actor: by, subject: id, data });
}
