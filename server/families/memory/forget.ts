import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { MemoryForgetting, MemoryForgotten } from "@/contracts/memory/memory-upkeep";
import type { Db } from "@/db/client";
import { memoryChanges, memoryEntries, memoryFacts, memoryFiles, memoryFileVersions } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { removeEntries } from "./entries";
import { removeFacts } from "./facts";
import { type FileRow, removeLocked, replaceFile } from "./files";
import { assertAgent, type Writer } from "./manage-memory";

/** Texts are compared without regard to case and spaces, as people read them. */
const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

type Version = { id: string; fileId: string; content: string };
type FileMatch = { file: FileRow; lines: string[]; versions: Version[] };

/**
 * Forgets a text in all that an agent remembers: lines of files and of their versions, entries and facts. Without a text, all of an
 * owner. What changes by the agent's model quote of it goes too.
 * @throws AppError `not_found`, `invalid` without text and owner
 */
export async function forget(actor: Writer, agentId: string, { ownerKey, text, apply }: MemoryForgetting): Promise<MemoryForgotten> {
  if (text === null && ownerKey === null) {
    throw new AppError("invalid", "text: say what to forget, or name the owner whose memory is to be forgotten as a whole.");
  }
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const sought = text === null ? null : plain(text);
    if (sought === "") throw new AppError("invalid", "text: needs letters or digits.");
    const matches = (content: string) => sought === null || plain(content).includes(sought);
    const files = await findFiles(tx, agentId, ownerKey, matches, sought);
    const entries = (await ofOwner(tx, memoryEntries, agentId, ownerKey)).filter(
      ({ key, content }) => matches(content) || matches(`${key}: ${content}`) || matches(key),
    );
    const facts = (await ofOwner(tx, memoryFacts, agentId, ownerKey)).filter(
      ({ subject, statement }) => matches(statement) || matches(`${subject}: ${statement}`),
    );
    if (apply) {
      const by = { actor: toActorRef(actor), requestId: actor.requestId };
      for (const match of files) await clearFile(tx, match, matches, sought === null, by);
      await removeEntries(tx, entries, by.actor, by.requestId);
      await removeFacts(tx, facts, by);
      await clearQuotes(tx, agentId, ownerKey, matches);
      const data = { ownerKey, isWhole: sought === null, files: files.length, entries: entries.length, facts: facts.length };
      await record(tx, { workspaceId: actor.workspaceId, event: "memory.forgotten", ...by, subject: agentId, agent: agentId, data });
    }
    return {
      applied: apply,
      files: files.map(({ file, lines, versions }) => ({
        ...{ id: file.id, filename: file.filename, ownerKey: file.ownerKey || null, lines },
        versions: versions.length,
      })),
      entries: entries.map(({ id, type, key, content }) => ({ id, source: `${type}/${key}`, content })),
      facts: facts.map(({ id, subject, statement }) => ({ id, subject, statement })),
    };
  });
}

/** Rows of an agent, locked; with an owner only that owner's. */
const ofOwner = async <T extends typeof memoryEntries | typeof memoryFacts>(
  tx: Db,
  table: T,
  agentId: string,
  ownerKey: string | null,
): Promise<T["$inferSelect"][]> =>
  (await tx
    .select()
    .from(table as typeof memoryEntries)
    .where(and(eq(table.agentId, agentId), ownerKey === null ? undefined : eq(table.ownerKey, ownerKey)))
    .for("update")) as T["$inferSelect"][];

async function findFiles(
  tx: Db,
  agentId: string,
  ownerKey: string | null,
  matches: (line: string) => boolean,
  sought: string | null,
): Promise<FileMatch[]> {
  const files = await tx
    .select()
    .from(memoryFiles)
    .where(and(eq(memoryFiles.agentId, agentId), ownerKey === null ? undefined : eq(memoryFiles.ownerKey, ownerKey)))
    .orderBy(memoryFiles.filename, memoryFiles.id)
    .for("update");
  if (files.length === 0) return [];
  const versions = await tx
    .select({
      id: memoryFileVersions.id,
      fileId: memoryFileVersions.fileId,
      version: memoryFileVersions.version,
      content: memoryFileVersions.content,
    })
    .from(memoryFileVersions)
    .where(
      inArray(
        memoryFileVersions.fileId,
        files.map(({ id }) => id),
      ),
    );
  const byFile = Map.groupBy(versions, ({ fileId }) => fileId);
  return files.flatMap((file) => {
    const earlier = (byFile.get(file.id) ?? []).filter(
      ({ version, content }) => version !== file.version && content.split("\n").some(matches),
    );
    const lines = file.content.split("\n").filter((line) => line.trim() !== "" && matches(line));
    return sought === null || lines.length + earlier.length > 0 ? [{ file, lines, versions: earlier }] : [];
  });
}

type By = { actor: ReturnType<typeof toActorRef>; requestId: string | null };

/** Takes the lines out of a file and of all its versions; a file of a forgotten owner goes as a whole. */
async function clearFile(
  tx: Db,
  { file, lines, versions }: FileMatch,
  matches: (line: string) => boolean,
  isWhole: boolean,
  by: By,
): Promise<void> {
  if (isWhole) return removeLocked(tx, file, by);
  const without = (content: string) =>
    content
      .split("\n")
      .filter((line) => line.trim() === "" || !matches(line))
      .join("\n");
  if (lines.length > 0) {
    await replaceFile(tx, file, { content: without(file.content), ...by });
    await tx
      .update(memoryFileVersions)
      .set({ content: without(file.content) })
      .where(and(eq(memoryFileVersions.fileId, file.id), eq(memoryFileVersions.version, file.version)));
  }
  for (const { id, content } of versions) {
    await tx
      .update(memoryFileVersions)
      .set({ content: without(content) })
      .where(eq(memoryFileVersions.id, id));
  }
}

/** A change that quotes what was forgotten would remember it. */
async function clearQuotes(tx: Db, agentId: string, ownerKey: string | null, matches: (text: string) => boolean): Promise<void> {
  const ofOwner = and(eq(memoryChanges.agentId, agentId), ownerKey === null ? undefined : eq(memoryChanges.ownerKey, ownerKey));
  for (const { id, reason, mergedEntries } of await tx.select().from(memoryChanges).where(ofOwner).for("update")) {
    const kept = mergedEntries.filter(({ key, content }) => !matches(content) && !matches(key));
    const isQuoted = reason !== "" && matches(reason);
    if (!isQuoted && kept.length === mergedEntries.length) continue;
    await tx
      .update(memoryChanges)
      .set({ reason: isQuoted ? "" : reason, mergedEntries: kept })
      .where(eq(memoryChanges.id, id));
  }
}
