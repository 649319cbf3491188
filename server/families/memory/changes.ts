import "server-only";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import type { MemoryChange, MemoryChangeDetail } from "@/contracts/memory/memory-upkeep";
import type { Db } from "@/db/client";
import { type ChangedMemoryFile, memoryChanges, memoryFacts, memoryFiles, memoryFileVersions } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Actor, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { saveEntry } from "./entries";
import { removeFacts } from "./facts";
import { removeLocked, replaceFile } from "./files";
import { assertAgent, maySee, type Page, type Reader, type Writer } from "./manage-memory";

type ChangeRow = typeof memoryChanges.$inferSelect;

function presentChange(row: ChangeRow): MemoryChange {
  const { id, agentId, ownerKey, kind, status, reason, conversationId, files, factIds, mergedEntries, createdAt, undoneAt } = row;
  return {
    ...{ id, agentId, ownerKey, kind, status, reason, conversationId, files },
    facts: factIds.length,
    mergedEntries: mergedEntries.length,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}

/** Returns what an agent's model changed by itself, newest first. */
export async function listChanges(actor: Reader, { agentId, ownerKey, limit = 50, cursor }: Page) {
  await assertAgent(db(), actor, agentId);
  const found = await db()
    .select()
    .from(memoryChanges)
    .where(
      and(
        eq(memoryChanges.agentId, agentId),
        ownerKey === undefined ? undefined : eq(memoryChanges.ownerKey, ownerKey),
        cursor === undefined ? undefined : lt(memoryChanges.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(memoryChanges.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentChange), nextCursor };
}

/** Returns a change with the texts before and after. @throws AppError `not_found` */
export async function getChange(actor: Reader, id: string): Promise<MemoryChangeDetail> {
  const change = await findChange(db(), actor, id);
  const diffs = await Promise.all(
    change.files.map(async ({ id: fileId, filename, before, after }) => ({
      filename,
      before: before === null ? "" : await contentOf(db(), fileId, before),
      after: await contentOf(db(), fileId, after),
    })),
  );
  return { ...presentChange(change), diffs };
}

/**
 * Undoes a change: files get the content that they had before, added files and facts go, merged entries come back. A fact that a
 * person confirmed since stays.
 * @throws AppError `not_found`, `conflict` when it was undone, or when a file was changed since
 */
export async function undoChange(actor: Writer, id: string): Promise<MemoryChange> {
  return db().transaction(async (tx) => {
    const change = await findChange(tx, actor, id, true);
    if (change.status !== "applied") {
      throw new AppError("conflict", change.status === "undone" ? "This change was undone already." : "This change wrote nothing.");
    }
    const by = { actor: toActorRef(actor), requestId: actor.requestId };
    for (const file of change.files) await undoFile(tx, file, by);
    if (change.factIds.length > 0) {
      const facts = await tx.select().from(memoryFacts).where(inArray(memoryFacts.id, change.factIds));
      await removeFacts(
        tx,
        facts.filter(({ confirmedAt }) => confirmedAt === null),
        by,
      );
    }
    const { workspaceId, agentId, ownerKey, kind } = change;
    const place = { workspaceId, agentId, ownerKey, scope: "PERSONAL" as const };
    for (const entry of change.mergedEntries) await saveEntry(tx, place, { ...entry, author: by.actor, requestId: by.requestId });
    const [undone] = await tx
      .update(memoryChanges)
      .set({ status: "undone", undoneAt: new Date() })
      .where(eq(memoryChanges.id, id))
      .returning();
    if (!undone) throw new Error("A locked row was not updated");
    const data = { kind, files: undone.files.length };
    await record(tx, { workspaceId, event: "memory.undone", ...by, subject: id, agent: agentId, data });
    return presentChange(undone);
  });
}

async function undoFile(
  tx: Db,
  { id, filename, before, after }: ChangedMemoryFile,
  by: { actor: ReturnType<typeof toActorRef>; requestId: string | null },
) {
  const [file] = await tx.select().from(memoryFiles).where(eq(memoryFiles.id, id)).for("update");
  if (!file) return;
  if (file.version !== after) {
    throw new AppError(
      "conflict",
      `${filename} was changed since. Restore its version ${before ?? "by hand"} in the file's versions instead.`,
    );
  }
  if (before === null) return removeLocked(tx, file, by);
  await replaceFile(tx, file, { content: await contentOf(tx, id, before), ...by });
}

async function contentOf(tx: Db, fileId: string, version: number): Promise<string> {
  const [row] = await tx
    .select({ content: memoryFileVersions.content })
    .from(memoryFileVersions)
    .where(and(eq(memoryFileVersions.fileId, fileId), eq(memoryFileVersions.version, version)));
  return row?.content ?? "";
}

async function findChange(tx: Db, actor: Actor, id: string, isLocked = false): Promise<ChangeRow> {
  const query = tx
    .select()
    .from(memoryChanges)
    .where(and(eq(memoryChanges.workspaceId, actor.workspaceId), eq(memoryChanges.id, id)));
  const [row] = isLocked ? await query.for("update") : await query;
  if (!row || !maySee(actor, row.agentId)) throw new AppError("not_found", "This change of a memory does not exist.");
  return row;
}
