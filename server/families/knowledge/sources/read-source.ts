import "server-only";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeParts, knowledgeSources } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { blobs } from "@/server/capabilities/blobs/blobs";
import type { Attempt } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError, toErrorMessage } from "@/server/platform/errors";
import { documentText } from "@/server/retrieval/document-text";
import { lockBase } from "../bases/base-rows";
import { writeLog } from "../pages/system-pages";
import { queueWork } from "../work/queue-work";
import { recordSource, removeText, type SourceRow, saveSource } from "./add-source";
import { insertChunks, type Part, type PartChunk, splitPages, splitText } from "./chunk-rows";
import { toPlainText } from "./plain-text";
import { queueReading, sourceQueue } from "./source-queue";
import { unpackArchive } from "./unpack-archive";

/** Pages of a PDF that are read and stored together; a repeated attempt reads fewer at once. */
const pagesAtOnce = 100;
const fewestPages = 10;
const maxCharacters = 10_000_000;
const maxReason = 1_000;
const by = { actor: systemActor };

/** Faults that a later attempt may not meet. */
const passing = new Set(["unavailable", "timed_out", "too_many_requests"]);

/**
 * Reads a content of a source, from the page that was read last. Each step commits text, words and progress together, so a
 * process that dies loses at most one step.
 */
export async function readSource({ sourceId, revision }: { sourceId: string; revision: number }, attempt: Attempt): Promise<void> {
  const source = await findUnread(db(), sourceId, revision);
  if (!source) return;
  try {
    const bytes = await readBlob(source.sha256);
    if (source.kind === "archive") await readArchive(source, bytes, attempt.signal);
    else await readDocument(source, bytes, attempt);
  } catch (error) {
    attempt.signal.throwIfAborted();
    if ((!isAppError(error) || passing.has(error.code)) && attempt.number < sourceQueue.retry.attempts) throw error;
    const reason = isAppError(error) ? error.message : `Handrail could not read it: ${toErrorMessage(error)}`;
    await finish(source, { state: "failed", reason });
  }
}

const findUnread = async (tx: Db, id: string, revision: number): Promise<SourceRow | null> => {
  const isUnread = and(
    eq(knowledgeSources.id, id),
    eq(knowledgeSources.revision, revision),
    inArray(knowledgeSources.state, ["pending", "processing"]),
  );
  const [row] = await tx.select().from(knowledgeSources).where(isUnread);
  return row ?? null;
};

const readBlob = async (sha256: string): Promise<Uint8Array> =>
  new Response((await blobs().read(sha256)).stream as ReadableStream<Uint8Array<ArrayBuffer>>).bytes();

async function readDocument(source: SourceRow, bytes: Uint8Array, { number, signal }: Attempt): Promise<void> {
  const isPdf = source.mediaType === "application/pdf";
  const atOnce = Math.max(fewestPages, Math.floor(pagesAtOnce / number));
  const gaps: string[] = source.pagesRead === null ? [] : (source.reason ?? "").split("\n").filter(Boolean);
  let hasGaps = source.pagesRead !== null && source.hasGaps;
  for (let read = source.pagesRead ?? 0; ; ) {
    const pages = isPdf ? `${read + 1}-${read + atOnce}` : undefined;
    const found = await documentText(source.name, bytes, { pages, maxCharacters, signal, progress: () => {} });
    const parts = found.parts.map(({ page, text }) => ({ page, ...toPlainText(text) }));
    const hidden = parts.reduce((sum, part) => sum + part.hidden, 0);
    gaps.push(...found.notes, ...(hidden > 0 ? [`Left out: ${hidden} hidden characters.`] : []));
    const split = found.pageCount === null ? splitText(parts.map(({ text }) => text).join("\n")) : splitNumbered(parts);
    const reached = found.pageCount === null ? null : Math.min(read + atOnce, found.pageCount);
    hasGaps ||= found.isTruncated || found.unreadPages.length > 0;
    const progress = { pagesRead: reached, pageCount: found.pageCount, hasGaps };
    if (!(await keepStep(source, read, progress, split, gaps))) return;
    if (reached === null || found.pageCount === null || reached >= found.pageCount) break;
    read = reached;
  }
  const characters = await db().$count(knowledgeParts, and(eq(knowledgeParts.sourceId, source.id), sql`${knowledgeParts.text} <> ''`));
  if (characters === 0)
    throw new AppError("invalid", `${source.name} has no text that can be read.${gaps.length > 0 ? ` ${gaps[0]}` : ""}`);
  await finish(source, { state: hasGaps ? "partial" : "completed", reason: joined(gaps) });
}

function splitNumbered(parts: readonly { page: number | null; text: string }[]): { parts: Part[]; chunks: PartChunk[] } {
  const numbered = parts.flatMap(({ page, text }) => (page === null ? [] : [{ number: page, page, text }]));
  return { parts: numbered, chunks: splitPages(numbered) };
}

const joined = (gaps: readonly string[]): string | null => [...new Set(gaps)].join("\n").slice(0, maxReason) || null;

type Progress = { pagesRead: number | null; pageCount: number | null; hasGaps: boolean };
type Split = { parts: Part[]; chunks: PartChunk[] };

/** Stores a step of the reading. @returns false when another attempt is further, or the source has another content */
async function keepStep(
  { id, revision, pagesRead: began }: SourceRow,
  read: number,
  progress: Progress,
  { parts, chunks }: Split,
  gaps: readonly string[],
): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [row] = await tx.select().from(knowledgeSources).where(eq(knowledgeSources.id, id)).for("update");
    const isOurs = row && row.revision === revision && (row.pagesRead ?? 0) === read && ["pending", "processing"].includes(row.state);
    if (!isOurs) return false;
    if (read === 0 && began === null) await removeText(tx, row);
    const isFirst = read === 0;
    for (let from = 0; from < parts.length; from += 500) {
      await tx.insert(knowledgeParts).values(parts.slice(from, from + 500).map(({ number, text }) => ({ sourceId: id, number, text })));
    }
    await insertChunks(tx, { workspaceId: row.workspaceId, baseId: row.baseId, sourceId: id }, row.name, chunks);
    await tx
      .update(knowledgeSources)
      .set({
        ...progress,
        state: "processing",
        reason: joined(gaps),
        partCount: (isFirst ? 0 : row.partCount) + parts.length,
        chunkCount: (isFirst ? 0 : row.chunkCount) + chunks.length,
        characters: (isFirst ? 0 : row.characters) + parts.reduce((sum, { text }) => sum + text.length, 0),
      })
      .where(eq(knowledgeSources.id, id));
    return true;
  });
}

type End = { state: "completed" | "partial" | "failed"; reason: string | null };

/** Ends the reading of a content, and queues what follows it. */
async function finish({ id, revision, baseId }: SourceRow, { state, reason }: End): Promise<void> {
  await db().transaction(async (tx) => {
    const base = await lockBase(tx, baseId);
    const isOurs = and(eq(knowledgeSources.id, id), eq(knowledgeSources.revision, revision));
    const [row] = await tx.update(knowledgeSources).set({ state, reason, readAt: new Date() }).where(isOurs).returning();
    if (!row) return;
    await recordSource(tx, base, row, "read", by);
    await writeLog(tx, base, state === "failed" ? `Source ${row.name} could not be read` : `Source ${row.name} read`, systemActor);
    if (state !== "failed" && row.kind !== "archive") await queueWork(tx, base, row);
  });
}

/** Makes a source of each file of an archive, all in one transaction. */
async function readArchive(source: SourceRow, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const { files, leftOut } = await unpackArchive(source.name, bytes, signal);
  await db().transaction(async (tx) => {
    const base = await lockBase(tx, source.baseId);
    for (const file of files) await saveSource(tx, base, file, { actor: source.addedBy });
  });
  const sentence = `${files.length} file${files.length === 1 ? "" : "s"} became sources.`;
  const rest = leftOut.length === 0 ? [] : [`Left out: ${leftOut.length}. ${leftOut.slice(0, 5).join(" ")}`];
  await finish(source, { state: leftOut.length === 0 ? "completed" : "partial", reason: joined([sentence, ...rest]) });
}

/** Queues sources whose reading was lost. A second item of the same content goes on where the first is. */
export async function findLostReading(): Promise<void> {
  await db().transaction(async (tx) => {
    const isLost = and(
      inArray(knowledgeSources.state, ["pending", "processing"]),
      lt(knowledgeSources.updatedAt, sql`now() - interval '10 minutes'`),
    );
    const lost = await tx
      .select()
      .from(knowledgeSources)
      .where(isLost)
      .orderBy(knowledgeSources.updatedAt)
      .limit(200)
      .for("update", { skipLocked: true });
    if (lost.length === 0) return;
    await tx
      .update(knowledgeSources)
      .set({ updatedAt: new Date() })
      .where(
        inArray(
          knowledgeSources.id,
          lost.map(({ id }) => id),
        ),
      );
    await queueReading(tx, lost);
  });
}
