import "server-only";
import { and, eq } from "drizzle-orm";
import { maxSourceBytes } from "@/contracts/knowledge/knowledge-sources";
import type { Db } from "@/db/client";
import { knowledgeParts, knowledgeSources } from "@/db/schema";
import { record } from "@/server/audit/record";
import { blobs } from "@/server/capabilities/blobs/blobs";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { documentKind } from "@/server/platform/formats/document-kind";
import { type BaseRow, lockBase } from "../bases/base-rows";
import { findCited, markCiting } from "../pages/page-rows";
import type { By } from "../pages/save-page";
import { writeLog } from "../pages/system-pages";
import { removeChunks } from "./chunk-rows";
import { assertSourceName } from "./source-name";
import { queueReading } from "./source-queue";

export type SourceRow = typeof knowledgeSources.$inferSelect;
export type SourceKind = SourceRow["kind"];
/** Bytes that are in the blob store, with what they are. */
export type StoredSource = {
  name: string;
  kind: SourceKind;
  origin: string | null;
  mediaType: string;
  sha256: string;
  bytes: number;
  signature: string | null;
};

type Given = { name: string; kind: SourceKind; origin: string | null; bytes: Uint8Array; signature?: string | null };

/**
 * Recognises a document and keeps its bytes.
 * @throws AppError `invalid` for an empty one, one with a password, and one that has no text
 */
export async function storeSource({ name: given, kind, origin, bytes, signature = null }: Given): Promise<StoredSource> {
  const name = assertSourceName(given);
  if (bytes.byteLength > maxSourceBytes) throw new AppError("too_large", `${name} is larger than 64 MiB. Send it in parts.`);
  if (bytes.byteLength === 0) throw new AppError("invalid", `${name} is empty.`);
  const { kind: found, mediaType } = await documentKind(name, bytes);
  const isArchive = found === "unknown" && mediaType === "application/zip";
  if (found === "encrypted") throw new AppError("invalid", `${name} is encrypted with a password. Add a copy without one.`);
  if (found === "unknown" && !isArchive) throw new AppError("invalid", `${name} (${mediaType}) is not a document with text.`);
  if (isArchive && kind !== "upload")
    throw new AppError("invalid", `${name} is an archive. Upload it, and each of its files becomes a source.`);
  return { name, origin, mediaType, signature, kind: isArchive ? "archive" : kind, ...(await blobs().put(bytes)) };
}

/** Keeps bytes as a source of a base. The same name replaces; the same bytes are not read again. @throws AppError */
export async function addSource(base: BaseRow, given: Given, by: By): Promise<{ source: SourceRow; unchanged: boolean }> {
  const stored = await storeSource(given);
  return db().transaction(async (tx) => saveSource(tx, await lockBase(tx, base.id), stored, by));
}

/** Writes the row of a stored source and queues its reading. */
export async function saveSource(tx: Db, base: BaseRow, stored: StoredSource, by: By): Promise<{ source: SourceRow; unchanged: boolean }> {
  const isNamed = and(eq(knowledgeSources.baseId, base.id), eq(knowledgeSources.name, stored.name));
  const [before] = await tx.select().from(knowledgeSources).where(isNamed).for("update");
  if (before && before.sha256 === stored.sha256 && before.state !== "failed") {
    const { signature } = stored;
    if (signature !== before.signature) await tx.update(knowledgeSources).set({ signature }).where(eq(knowledgeSources.id, before.id));
    return { source: before, unchanged: true };
  }
  const fresh = { ...stored, state: "pending" as const, reason: null, pagesRead: null, pageCount: null };
  const [source] = before
    ? await tx
        .update(knowledgeSources)
        .set({ ...fresh, revision: before.revision + 1 })
        .where(eq(knowledgeSources.id, before.id))
        .returning()
    : await tx
        .insert(knowledgeSources)
        .values({ ...fresh, workspaceId: base.workspaceId, baseId: base.id, addedBy: by.actor })
        .returning();
  if (!source) throw new Error("A source was not written");
  if (before) await markCiting(tx, source.id, `The source ${source.name} changed.`);
  else await findCited(tx, base.id, source);
  await recordSource(tx, base, source, "added", by);
  await queueReading(tx, [source]);
  return { source, unchanged: false };
}

/** Reads a source again from its beginning. */
export async function readAgain(tx: Db, { id, revision }: SourceRow): Promise<SourceRow> {
  const [row] = await tx
    .update(knowledgeSources)
    .set({ state: "pending", reason: null, pagesRead: null, pageCount: null, revision: revision + 1 })
    .where(eq(knowledgeSources.id, id))
    .returning();
  if (!row) throw missingSource();
  await queueReading(tx, [row]);
  return row;
}

/** Removes a source with its text. Pages that cite it become stale. */
export async function removeSource(tx: Db, base: BaseRow, source: SourceRow, by: By): Promise<void> {
  await markCiting(tx, source.id, `The source ${source.name} was removed.`);
  await removeText(tx, source);
  await tx.delete(knowledgeSources).where(eq(knowledgeSources.id, source.id));
  await recordSource(tx, base, source, "removed", by);
  await writeLog(tx, base, `Source ${source.name} removed`, by.actor);
}

/** Removes the parts and chunks of a source. */
export async function removeText(tx: Db, { id: sourceId, workspaceId, baseId }: SourceRow): Promise<void> {
  await removeChunks(tx, { workspaceId, baseId, sourceId });
  await tx.delete(knowledgeParts).where(eq(knowledgeParts.sourceId, sourceId));
}

export async function recordSource(
  tx: Db,
  base: BaseRow,
  source: SourceRow,
  verb: "added" | "read" | "removed",
  { actor, requestId = null }: By,
): Promise<void> {
  const { id: subject, name, kind, bytes, sha256, state, reason, chunkCount, revision } = source;
  await record(tx, {
    workspaceId: base.workspaceId,
    event: `knowledge_source.${verb}`,
    ...{ actor, requestId, subject },
    data: { base: base.name, name, kind, bytes, sha256, revision, ...(verb === "read" ? { state, reason, chunks: chunkCount } : {}) },
  });
}

export const missingSource = () =>
  new AppError("not_found", "This source does not exist. It may have been removed; list the sources of its base.");
