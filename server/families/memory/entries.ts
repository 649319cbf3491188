import "server-only";
import { and, desc, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { memoryEntryTypes } from "@/contracts/memory";
import type { Db } from "@/db/client";
import { memoryEntries } from "@/db/schema";
import { record } from "@/server/audit/record";
import { FieldIndex } from "@/server/retrieval/field-index";
import { isVisible, type MemoryPlace, ownerColumn, type Rememberer } from "./owner";

export type EntryRow = typeof memoryEntries.$inferSelect;
export type EntryType = (typeof memoryEntryTypes)[number];

/** Entries that are looked at, newest first. */
const maxRead = 500;

/** Returns the entries that an agent may read for an owner, newest first. */
export const readEntries = (tx: Db, rememberer: Rememberer, type?: EntryType): Promise<EntryRow[]> =>
  tx
    .select()
    .from(memoryEntries)
    .where(and(isVisible(memoryEntries, rememberer), type && eq(memoryEntries.type, type)))
    .orderBy(desc(memoryEntries.updatedAt), desc(memoryEntries.id))
    .limit(maxRead);

/** Saves what is remembered under a type and key; an earlier content is replaced. */
export async function saveEntry(
  tx: Db,
  { workspaceId, agentId, scope, ownerKey }: MemoryPlace,
  { type, key, content, author }: { type: EntryType; key: string; content: string; author: ActorRef },
): Promise<EntryRow> {
  const now = new Date();
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
    const { workspaceId, id: subject, agentId: agent, type, key, scope } = gone;
    await record(tx, { workspaceId, event: "memory_entry.removed", actor, requestId, subject, agent, data: { type, key, scope } });
  }
  return removed;
}

/** Ranks entries by the words of a request, best first. */
export function rankEntries(entries: readonly EntryRow[], request: string, limit: number): { entry: EntryRow; score: number }[] {
  const index = new FieldIndex({
    fields: [
      { name: "key", weight: 2, shortness: 0.5 },
      { name: "content", weight: 1, shortness: 0.75 },
    ],
    related: () => new Map(),
    weightOf: () => 1,
  });
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const { id, key, content } of entries) index.put(id, { key, content });
  return index
    .rank(request, () => true)
    .slice(0, limit)
    .flatMap(({ name, score }) => {
      const entry = byId.get(name);
      return entry ? [{ entry, score }] : [];
    });
}
