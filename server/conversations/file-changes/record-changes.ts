import "server-only";
import path from "node:path";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { NotKeptReason } from "@/contracts/turns/file-changes";
import { fileChanges } from "@/db/schema";
import { blobs } from "@/server/capabilities/blobs/blobs";
import type { FileState, PlannedChange, RecordChanges } from "@/server/capabilities/files/change-journal";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { keepContent } from "./kept-content";

/** The most that kept contents of one conversation take in the blob store, in bytes. */
export const maxStoredBytes = 64 * 1_048_576;

export type ChangeRow = typeof fileChanges.$inferSelect;
type NewRow = typeof fileChanges.$inferInsert;

type Recorder = {
  workspaceId: string;
  conversationId: string;
  /** Null for a restore by a person. */
  callId: string | null;
  actor: ActorRef;
  /** Absolute folder of the conversation. */
  folder: string;
  isSensitive: (relativePath: string) => boolean;
};

/** Returns the name of a workspace folder in rows. */
export const folderName = (folder: string): string => path.relative(env().workspaceRoot, folder);

/** Creates the journal of one call: each change gets a row, and its old and new content a blob. */
export function makeChangeRecorder(recorder: Recorder): RecordChanges {
  return async (changes) => {
    const real = changes.filter(isRealChange);
    if (real.length === 0) return async () => {};
    const rows: (NewRow & { id: string })[] = [];
    for (const change of real) rows.push({ ...(await rowOf(recorder, change)), id: newId() });
    const made = await throughOutages(() => insertOnce(rows));
    await throughOutages(() => makeRoom(recorder.conversationId));
    return () => removeChanges(made);
  };
}

/** Inserts rows whose ids are set, so that a repetition after a lost answer inserts nothing twice. */
async function insertOnce(rows: readonly (NewRow & { id: string })[]): Promise<ChangeRow[]> {
  await db()
    .insert(fileChanges)
    .values([...rows])
    .onConflictDoNothing();
  const ids = rows.map(({ id }) => id);
  return db().select().from(fileChanges).where(inArray(fileChanges.id, ids));
}

function isRealChange({ before, after }: PlannedChange): boolean {
  if (!before || !after) return before !== after;
  return before.sha256 === null || before.sha256 !== after.sha256;
}

async function rowOf({ isSensitive, ...recorder }: Recorder, change: PlannedChange): Promise<NewRow> {
  const { path, before, after, restores } = change;
  const isSecret = isSensitive(path);
  const kept = isSecret ? nothingKept("sensitive") : await keep(before, after);
  return {
    ...{ workspaceId: recorder.workspaceId, conversationId: recorder.conversationId, callId: recorder.callId, actor: recorder.actor },
    folder: folderName(recorder.folder),
    path,
    beforeBytes: before?.bytes ?? null,
    // The hash of a short secret would tell the secret.
    beforeHash: isSecret ? null : (before?.sha256 ?? null),
    beforeMode: before?.mode ?? null,
    afterBytes: after?.bytes ?? null,
    afterHash: isSecret ? null : (after?.sha256 ?? null),
    ...(restores ? { restores } : {}),
    ...kept,
  };
}

type Kept = { beforeBlob: string | null; afterBlob: string | null; storedBytes: number; notKept: NotKeptReason | null };

const nothingKept = (notKept: NotKeptReason): Kept => ({ beforeBlob: null, afterBlob: null, storedBytes: 0, notKept });

/** Keeps both contents. A store that fails does not stop the change: the row says that nothing was kept. */
async function keep(before: FileState | null, after: PlannedChange["after"]): Promise<Kept> {
  try {
    const [old, made] = await Promise.all([
      before?.content ? keepContent(before.content) : null,
      after?.content ? keepContent(after.content) : null,
    ]);
    return {
      beforeBlob: old?.blob ?? null,
      afterBlob: made?.blob ?? null,
      storedBytes: (old?.storedBytes ?? 0) + (made?.storedBytes ?? 0),
      notKept: before && !before.content ? "large" : null,
    };
  } catch (error) {
    log().warn({ err: error }, "the old content of a file could not be kept before its change");
    return nothingKept("store");
  }
}

/** Drops the oldest contents of a conversation that has more than `maxStoredBytes`; the rows stay and say so. */
async function makeRoom(conversationId: string): Promise<void> {
  const sums = db()
    .select({ id: fileChanges.id, total: sql<number>`sum(${fileChanges.storedBytes}) over (order by ${fileChanges.id} desc)`.as("total") })
    .from(fileChanges)
    .where(and(eq(fileChanges.conversationId, conversationId), sql`${fileChanges.storedBytes} > 0`))
    .as("sums");
  const over = await db().select({ id: sums.id }).from(sums).where(sql`${sums.total} > ${maxStoredBytes}`);
  if (over.length === 0) return;
  const ids = over.map(({ id }) => id);
  const rows = await db().select().from(fileChanges).where(inArray(fileChanges.id, ids));
  // The rows are changed first, because a row must not name a blob that is gone.
  await db()
    .update(fileChanges)
    .set({
      beforeBlob: null,
      afterBlob: null,
      storedBytes: 0,
      notKept: sql`case when ${fileChanges.beforeBytes} is null then null else 'room' end`,
    })
    .where(inArray(fileChanges.id, ids));
  await removeBlobs(rows);
}

/** Deletes rows and then their blobs. */
export async function removeChanges(rows: readonly ChangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await db().delete(fileChanges).where(inArray(fileChanges.id, ids));
  await removeBlobs(rows);
}

async function removeBlobs(rows: readonly ChangeRow[]): Promise<void> {
  for (const { beforeBlob, afterBlob } of rows) {
    for (const blob of [beforeBlob, afterBlob]) {
      if (blob === null) continue;
      await blobs()
        .remove(blob)
        .catch((error) => log().warn({ err: error, blob }, "the content of an old file could not be deleted"));
    }
  }
}
