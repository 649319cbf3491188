import "server-only";
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { auditArchives } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Archive, archiveColumns, archivedEvents, readArchive } from "@/server/audit-log/archive/archive-files";
import { inUse } from "@/server/audit-log/archive/find-archives";
import { systemActor } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { lockSeals } from "../mark-leaves";

/** A place of audit rows: SQL to select from, and the archive if it is one. */
export type AuditSource = { from: SQL; archive: Archive | null };

/**
 * Yields the table of audit rows, then the archives of a workspace that fit a condition, oldest first.
 * @param fitting SQL condition on `audit_archives`
 */
export async function* auditSources(workspaceId: string, fitting: SQL): AsyncGenerator<AuditSource, void, void> {
  yield { from: sql`audit_events`, archive: null };
  const archives = await db()
    .select(archiveColumns)
    .from(auditArchives)
    .where(and(inUse(workspaceId), fitting))
    .orderBy(asc(auditArchives.firstSeal));
  for (const archive of archives) yield { from: archivedEvents(await readArchive(archive)), archive };
}

/**
 * Takes archives with rows that fit back into the table, where the retention or an erasure changes them; they are archived
 * again later. Their files are removed.
 * @param fitting SQL condition on `audit_archives`
 * @param rows SQL condition on `audit_events as e`
 */
export async function returnRows(workspaceId: string, fitting: SQL, rows: (from: SQL) => SQL): Promise<void> {
  for await (const { from, archive } of auditSources(workspaceId, fitting)) {
    if (!archive) continue;
    const [found] = await db().execute(sql`select from ${from} as e where ${rows(from)} limit 1`);
    if (found) await db().transaction((tx) => returnArchive(tx, archive));
  }
  await removeUnusedFiles();
}

async function returnArchive(tx: Db, archive: Archive): Promise<void> {
  const { id, workspaceId } = archive;
  await lockSeals(tx, workspaceId);
  const isIt = and(eq(auditArchives.id, id), isNull(auditArchives.unusedSince));
  const [still] = await tx.update(auditArchives).set({ unusedSince: sql`now()` }).where(isIt).returning({ id: auditArchives.id });
  if (!still) return;
  await tx.execute(sql`
    insert into audit_events (id, at, workspace_id, event, actor_type, actor_id, actor_name, subject, tool, agent, source, verdict,
      conversation_id, turn_id, call_id, data, request_id, moved_at, xid)
    select * from ${archivedEvents(await readArchive(archive))} as e`);
  const data = { rows: archive.rows, seals: [archive.firstSeal, archive.lastSeal], archive: id };
  await record(tx, { workspaceId, event: "audit.rows_returned", actor: systemActor, data });
}

/** Removes the files of archives that are not in use, and then what names them. */
export async function removeUnusedFiles(): Promise<void> {
  const unused = await db()
    .select({ id: auditArchives.id, workspaceId: auditArchives.workspaceId })
    .from(auditArchives)
    .where(isNotNull(auditArchives.unusedSince));
  for (const { id, workspaceId } of unused) {
    await db().transaction(async (tx) => {
      // The writer of an archive holds the lock until it is in use.
      await lockSeals(tx, workspaceId);
      const [row] = await tx
        .delete(auditArchives)
        .where(and(eq(auditArchives.id, id), isNotNull(auditArchives.unusedSince)))
        .returning({ sha256: auditArchives.sha256 });
      if (row) await blobs().remove(row.sha256);
    });
  }
}
