import "server-only";
import { and, desc, eq, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { maxMemoryCharacters } from "@/contracts/memory/memory";
import type { Db } from "@/db/client";
import { memoryFiles, memoryFileVersions } from "@/db/schema";
import { record } from "@/server/audit/record";
import { AppError } from "@/server/platform/errors";
import { countRows, toStoredWords } from "@/server/retrieval/stored-words";
import { assertText } from "./assert-text";
import { dropEmbeddings, fileTexts } from "./embedded-texts";
import { assertFilename, isDailyNote } from "./filename";
import { type MemoryPlace, ownerColumn } from "./owner";

export type FileRow = typeof memoryFiles.$inferSelect;

/** The set in which the words of all memory files of a workspace are counted. */
export const memorySet = "memory";
export const wordColumns = { table: memoryFiles, id: memoryFiles.id, words: memoryFiles.words, wordCount: memoryFiles.wordCount };
const maxFiles = 500;

type By = { actor: ActorRef; requestId?: string | null };
type Change = By & { place: MemoryPlace; filename: string; content: string; enabled?: boolean | undefined };

/** Returns the file of a place, locked until the transaction ends; null when there is none. */
export async function lockFile(tx: Db, { agentId, scope, ownerKey }: MemoryPlace, filename: string): Promise<FileRow | null> {
  const [row] = await tx
    .select()
    .from(memoryFiles)
    .where(
      and(
        eq(memoryFiles.agentId, agentId),
        eq(memoryFiles.scope, scope),
        eq(memoryFiles.ownerKey, ownerColumn(scope, ownerKey)),
        eq(memoryFiles.filename, filename),
      ),
    )
    .for("update");
  return row ?? null;
}

/** Adds a file. @throws AppError `invalid`, `conflict` when the place has a file of that name */
export async function insertFile(tx: Db, { place, filename: given, content, enabled = false, ...by }: Change): Promise<FileRow> {
  const filename = assertFilename(given);
  assertContent(filename, content, enabled, by.actor);
  const { workspaceId, agentId, scope } = place;
  if ((await tx.$count(memoryFiles, eq(memoryFiles.agentId, agentId))) >= maxFiles) {
    throw new AppError("conflict", "An agent has at most 500 memory files. Remove some first.");
  }
  const [row] = await tx
    .insert(memoryFiles)
    .values({
      workspaceId,
      agentId,
      scope,
      ownerKey: ownerColumn(scope, place.ownerKey),
      filename,
      content,
      enabled,
      ...toStoredWords(content, filename),
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new AppError("conflict", `There is a memory file ${filename} already. Read it and change it instead.`);
  await keep(tx, row, "memory_file.created", by);
  return row;
}

/** Replaces the content of a locked file. @throws AppError `invalid` */
export async function replaceFile(
  tx: Db,
  before: FileRow,
  { content, enabled = before.enabled, ...by }: Omit<Change, "place" | "filename">,
): Promise<FileRow> {
  const known = new Set(before.content.split("\n"));
  const added = content.split("\n").map((line) => (known.has(line) ? "" : line));
  assertContent(before.filename, content, enabled, by.actor, added.join("\n"));
  await countRows(tx, { workspaceId: before.workspaceId, set: memorySet }, wordColumns, sql`${memoryFiles.id} = ${before.id}`, -1);
  const kept = new Set(fileTexts({ id: before.id, content }).map(({ text }) => text));
  await dropEmbeddings(
    tx,
    before.workspaceId,
    fileTexts(before).filter(({ text }) => !kept.has(text)),
  );
  const [row] = await tx
    .update(memoryFiles)
    .set({ content, enabled, version: before.version + 1, ...toStoredWords(content, before.filename) })
    .where(eq(memoryFiles.id, before.id))
    .returning();
  if (!row) throw new AppError("not_found", "This memory file was removed meanwhile.");
  await keep(tx, row, "memory_file.updated", by);
  return row;
}

/** Removes a locked file with its versions. */
export async function removeLocked(tx: Db, row: FileRow, by: By): Promise<void> {
  await countRows(tx, { workspaceId: row.workspaceId, set: memorySet }, wordColumns, sql`${memoryFiles.id} = ${row.id}`, -1);
  await dropEmbeddings(tx, row.workspaceId, fileTexts(row));
  await tx.delete(memoryFiles).where(eq(memoryFiles.id, row.id));
  await record(tx, {
    workspaceId: row.workspaceId,
    event: "memory_file.removed",
    ...by,
    subject: row.id,
    agent: row.agentId,
    data: inAudit(row),
  });
}

/** Versions of a file, newest first. */
export const listFileVersions = (tx: Db, fileId: string) =>
  tx.select().from(memoryFileVersions).where(eq(memoryFileVersions.fileId, fileId)).orderBy(desc(memoryFileVersions.version)).limit(100);

async function keep(tx: Db, row: FileRow, event: "memory_file.created" | "memory_file.updated", by: By): Promise<void> {
  const { id: fileId, workspaceId, version, content } = row;
  await countRows(tx, { workspaceId, set: memorySet }, wordColumns, sql`${memoryFiles.id} = ${fileId}`, 1);
  await tx.insert(memoryFileVersions).values({ fileId, version, content, author: by.actor });
  await record(tx, { workspaceId, event, ...by, subject: fileId, agent: row.agentId, data: inAudit(row) });
}

/** The content of a memory is personal, so the audit has its size only. */
const inAudit = ({ filename, scope, ownerKey, version, enabled, content }: FileRow) => ({
  filename,
  scope,
  ownerKey,
  version,
  enabled,
  characters: content.length,
});

/** @param added the part of the content that the actor answers for */
function assertContent(filename: string, content: string, enabled: boolean, actor: ActorRef, added = content): void {
  if (content.length > maxMemoryCharacters) throw new AppError("invalid", "content: at most 200,000 characters a memory file. Split it.");
  assertText("content", added, actor);
  if (enabled && isDailyNote(filename)) {
    throw new AppError(
      "invalid",
      "enabled: a daily note is searched and never stands in the prompt. Write what should stand there to MEMORY.md.",
    );
  }
}
