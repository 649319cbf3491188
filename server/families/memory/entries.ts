import "server-only";
import { and, desc, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { memoryEntryTypes } from "@/contracts/memory/memory";
import type { Db } from "@/db/client";
import { memoryEntries } from "@/db/schema";
import { record } from "@/server/audit/record";
import { assertText } from "./assert-text";
import { dropEmbeddings, entryText } from "./embedded-texts";
import { isVisible, type MemoryPlace, type MemoryView, ownerColumn } from "./owner";

export type EntryRow = typeof memoryEntries.$inferSelect;
export type EntryType = (typeof memoryEntryTypes)[number];

/** Entries that are looked at, newest first. */
const maxRead = 500;

/** Returns the entries that an agent may read for an owner, newest first. */
export const readEntries = (tx: Db, view: MemoryView, type?: EntryType): Promise<EntryRow[]> =>
  tx
    .select()
    .from(memoryEntries)
    .where(and(isVisible(memoryEntries, view), type && eq(memoryEntries.type, type)))
    .orderBy(desc(memoryEntries.updatedAt), desc(memoryEntries.id))
    .limit(maxRead);

/** Saves what is remembered under a type and key; an earlier content is replaced. */
export async function saveEntry(
  tx: Db,
  { workspaceId, agentId, scope, ownerKey }: MemoryPlace,
  {
    type,
    key,
    content,
    author,
    requestId = null,
  }: { type: EntryType; key: string; content: string; author: ActorRef; requestId?: string | null },
): Promise<EntryRow> {
  assertText("key", key, author);
  assertText("content", content, author);
  const now = new Date();
  const isSame = and(
    eq(memoryEntries.agentId, agentId),
    eq(memoryEntries.scope, scope),
    eq(memoryEntries.ownerKey, ownerColumn(scope, ownerKey)),
    eq(memoryEntries.type, type),
    eq(memoryEntries.key, key),
  );
  await dropEmbeddings(tx, workspaceId, (await tx.select().from(memoryEntries).where(isSame)).map(entryText));
  const { agentId: agent, ...unique } = { agentId: memoryEntries.agentId, scope: memoryEntries.scope, owner: memoryEntries.ownerKey };
  const [row] = await tx
    .insert(memoryEntries)
    .values({ workspaceId, agentId, scope, ownerKey: ownerColumn(scope, ownerKey), type, key, content, author })
    .onConflictDoUpdate({
      target: [agent, unique.scope, unique.owner, memoryEntries.type, memoryEntries.key],
      set: { content, author, updatedAt: now },
    })
    .returning();
  if (!row) throw new Error("An upsert returned no row");
  await record(tx, {
    workspaceId,
    event: "memory_entry.saved",
    actor: author,
    requestId,
    subject: row.id,
    agent: agentId,
    data: { type, key, scope },
  });
  return row;
}

/** Removes entries. @returns those that were there */
export async function removeEntries(
  tx: Db,
  rows: readonly EntryRow[],
  actor: ActorRef,
  requestId: string | null = null,
): Promise<EntryRow[]> {
  const removed: EntryRow[] = [];
  for (const row of rows) {
    const [gone] = await tx.delete(memoryEntries).where(eq(memoryEntries.id, row.id)).returning();
    if (!gone) continue;
    removed.push(gone);
    await dropEmbeddings(tx, gone.workspaceId, [entryText(gone)]);
    const { workspaceId, id: subject, agentId: agent, type, key, scope } = gone;
    await record(tx, { workspaceId, event: "memory_entry.removed", actor, requestId, subject, agent, data: { type, key, scope } });
  }
  return removed;
}
