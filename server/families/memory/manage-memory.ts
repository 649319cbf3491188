import "server-only";
import { and, asc, count, desc, eq, gt, inArray, lt } from "drizzle-orm";
import { z } from "zod";
import type {
  MemoryEntry,
  MemoryEntryDraft,
  MemoryFile,
  MemoryFileContent,
  MemoryFileDraft,
  MemoryFilePatch,
  MemoryFileVersion,
  MemoryOwnerCount,
  MemoryPrompt,
} from "@/contracts/memory/memory";
import type { Db } from "@/db/client";
import { agents, memoryEntries, memoryFacts, memoryFiles, memoryFileVersions, users } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { countTokens } from "@/server/tools/disclosure/count-tokens";
import { sectionBudget } from "@/server/tools/disclosure/prompt-sections";
import { type EntryRow, removeEntries, saveEntry } from "./entries";
import { type FileRow, insertFile, listFileVersions, removeLocked, replaceFile } from "./files";
import type { MemoryScope } from "./owner";
import { memoryShare, writeMemory } from "./prompt-section";

export type Reader = Authorized<"memory:read">;
export type Writer = Authorized<"memory:write">;
export type Page = { agentId: string; ownerKey?: string | undefined; limit?: number | undefined; cursor?: string | undefined };

function presentFile({ id, agentId, scope, ownerKey, filename, enabled, content, version, createdAt, updatedAt }: FileRow): MemoryFile {
  return {
    id,
    agentId,
    scope,
    ownerKey: ownerKey || null,
    filename,
    enabled,
    characters: content.length,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const withContent = (row: FileRow): MemoryFileContent => ({ ...presentFile(row), content: row.content });

function presentEntry({ id, agentId, scope, ownerKey, type, key, content, author, createdAt, updatedAt }: EntryRow): MemoryEntry {
  return {
    id,
    agentId,
    scope,
    ownerKey: ownerKey || null,
    type,
    key,
    content,
    author,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** @throws AppError `not_found` for an agent of another workspace, or one that the key is not bound to */
export async function assertAgent(tx: Db, actor: Actor, agentId: string): Promise<void> {
  const [agent] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), eq(agents.id, agentId)));
  if (!agent || !maySee(actor, agentId)) throw new AppError("not_found", "This agent does not exist. GET /api/v1/agents lists them.");
}

export const maySee = (actor: Actor, agentId: string): boolean => actor.agentId === null || actor.agentId === agentId;

export async function listFiles(actor: Reader, { agentId, ownerKey, limit = 50, cursor }: Page) {
  await assertAgent(db(), actor, agentId);
  const found = await db()
    .select()
    .from(memoryFiles)
    .where(
      and(
        eq(memoryFiles.agentId, agentId),
        ownerKey === undefined ? undefined : eq(memoryFiles.ownerKey, ownerKey),
        cursor === undefined ? undefined : gt(memoryFiles.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(asc(memoryFiles.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentFile), nextCursor };
}

async function findFile(tx: Db, actor: Actor, id: string, lock: { version: number | null } | null = null): Promise<FileRow> {
  const query = tx
    .select()
    .from(memoryFiles)
    .where(and(eq(memoryFiles.workspaceId, actor.workspaceId), eq(memoryFiles.id, id)));
  const [row] = lock ? await query.for("update") : await query;
  if (!row || !maySee(actor, row.agentId)) throw new AppError("not_found", "This memory file does not exist. It may have been removed.");
  if (lock && lock.version !== null && lock.version !== row.version) {
    throw new AppError("stale_version", "This memory file was changed meanwhile. Load it again.");
  }
  return row;
}

export const getFile = async (actor: Reader, id: string): Promise<MemoryFileContent> => withContent(await findFile(db(), actor, id));

/** @throws AppError `invalid` for a personal memory without an owner, and for a shared one with an owner */
export function assertOwner(scope: MemoryScope, ownerKey: string | null): void {
  if ((scope === "PERSONAL") === (ownerKey !== null)) return;
  throw new AppError("invalid", "ownerKey: PERSONAL memory needs its owner, such as user:<id>; other memory has none.", {
    errors: [{ path: "ownerKey", message: scope === "PERSONAL" ? "needs the owner" : "must be null for this scope" }],
  });
}

/** @throws AppError `invalid` for a bad name or owner, `conflict` */
export async function createFile(actor: Writer, { agentId, scope, ownerKey, ...draft }: MemoryFileDraft): Promise<MemoryFileContent> {
  assertOwner(scope, ownerKey);
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const place = { workspaceId: actor.workspaceId, agentId, scope, ownerKey: ownerKey ?? "" };
    return withContent(await insertFile(tx, { place, ...draft, actor: toActorRef(actor), requestId: actor.requestId }));
  });
}

/** @throws AppError `not_found`, `stale_version`, `invalid` */
export async function updateFile(actor: Writer, id: string, patch: MemoryFilePatch, version: number | null): Promise<MemoryFileContent> {
  return db().transaction(async (tx) => {
    const before = await findFile(tx, actor, id, { version });
    return withContent(await replaceFile(tx, before, { ...patch, actor: toActorRef(actor), requestId: actor.requestId }));
  });
}

/** @throws AppError `not_found`, `stale_version` */
export async function removeFile(actor: Writer, id: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    await removeLocked(tx, await findFile(tx, actor, id, { version }), { actor: toActorRef(actor), requestId: actor.requestId });
  });
}

export async function listVersions(actor: Reader, id: string): Promise<{ items: MemoryFileVersion[] }> {
  await findFile(db(), actor, id);
  const rows = await listFileVersions(db(), id);
  return {
    items: rows.map(({ version, content, author, createdAt }) => ({ version, content, author, createdAt: createdAt.toISOString() })),
  };
}

/** Makes an earlier content the newest version. @throws AppError `not_found`, `stale_version` */
export async function restoreVersion(actor: Writer, id: string, earlier: number, version: number | null): Promise<MemoryFileContent> {
  return db().transaction(async (tx) => {
    const before = await findFile(tx, actor, id, { version });
    const [kept] = await tx
      .select()
      .from(memoryFileVersions)
      .where(and(eq(memoryFileVersions.fileId, id), eq(memoryFileVersions.version, earlier)));
    if (!kept) throw new AppError("not_found", `This memory file has no version ${earlier}.`);
    return withContent(await replaceFile(tx, before, { content: kept.content, actor: toActorRef(actor), requestId: actor.requestId }));
  });
}

export async function listEntries(actor: Reader, { agentId, ownerKey, limit = 50, cursor }: Page) {
  await assertAgent(db(), actor, agentId);
  const found = await db()
    .select()
    .from(memoryEntries)
    .where(
      and(
        eq(memoryEntries.agentId, agentId),
        ownerKey === undefined ? undefined : eq(memoryEntries.ownerKey, ownerKey),
        cursor === undefined ? undefined : lt(memoryEntries.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(memoryEntries.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentEntry), nextCursor };
}

/** @throws AppError `not_found`, `invalid` */
export async function createEntry(actor: Writer, { agentId, scope, ownerKey, ...draft }: MemoryEntryDraft): Promise<MemoryEntry> {
  assertOwner(scope, ownerKey);
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const place = { workspaceId: actor.workspaceId, agentId, scope, ownerKey: ownerKey ?? "" };
    return presentEntry(await saveEntry(tx, place, { ...draft, author: toActorRef(actor), requestId: actor.requestId }));
  });
}

/** @throws AppError `not_found` */
export async function removeEntry(actor: Writer, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(memoryEntries)
      .where(and(eq(memoryEntries.workspaceId, actor.workspaceId), eq(memoryEntries.id, id)));
    if (!row || !maySee(actor, row.agentId))
      throw new AppError("not_found", "This memory entry does not exist. It may have been forgotten.");
    await removeEntries(tx, [row], toActorRef(actor), actor.requestId);
  });
}

/** Returns what the prompt of a conversation with this owner holds now, with what fits a message. */
export async function showPrompt(actor: Reader, agentId: string, ownerKey: string, message = ""): Promise<MemoryPrompt> {
  await assertAgent(db(), actor, agentId);
  const budgetTokens = sectionBudget(memoryShare);
  const { text, parts } = await writeMemory({ workspaceId: actor.workspaceId, agentId, ownerKey }, budgetTokens, message);
  return { text, tokens: countTokens(text), budgetTokens, parts };
}

/** Returns the owners for whom an agent remembers something, by their names. */
export async function listOwners(actor: Reader, agentId: string): Promise<{ items: MemoryOwnerCount[] }> {
  await assertAgent(db(), actor, agentId);
  const counted = await Promise.all(
    [memoryFiles, memoryEntries, memoryFacts].map((table) =>
      db()
        .select({ ownerKey: table.ownerKey, rows: count() })
        .from(table)
        .where(and(eq(table.agentId, agentId), eq(table.scope, "PERSONAL")))
        .groupBy(table.ownerKey),
    ),
  );
  const [files = new Map(), entries = new Map(), facts = new Map()] = counted.map(
    (rows) => new Map(rows.map(({ ownerKey, rows }) => [ownerKey, rows])),
  );
  const keys = [...new Set([...files.keys(), ...entries.keys(), ...facts.keys()])];
  const names = await namesOf(keys.filter((key) => key.startsWith("user:")).map((key) => key.slice(5)));
  const items = keys.map((ownerKey) => ({
    ownerKey,
    name: names.get(ownerKey) ?? null,
    files: files.get(ownerKey) ?? 0,
    entries: entries.get(ownerKey) ?? 0,
    facts: facts.get(ownerKey) ?? 0,
  }));
  return { items: items.sort((a, b) => (a.name ?? a.ownerKey).localeCompare(b.name ?? b.ownerKey, "en")) };
}

async function namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = ids.filter((id) => z.uuid().safeParse(id).success);
  if (known.length === 0) return new Map();
  const rows = await db().select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, known));
  return new Map(rows.map(({ id, name }) => [`user:${id}`, name]));
}
