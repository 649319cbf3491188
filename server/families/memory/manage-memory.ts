import "server-only";
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type {
  MemoryEntry,
  MemoryFile,
  MemoryFileContent,
  MemoryFileDraft,
  MemoryFilePatch,
  MemoryFileVersion,
  MemoryPrompt,
} from "@/contracts/memory";
import type { Db } from "@/db/client";
import { agents, memoryEntries, memoryFiles, memoryFileVersions } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { countTokens } from "@/server/tools/count-tokens";
import { sectionBudget } from "@/server/tools/prompt-sections";
import { type EntryRow, removeEntries } from "./entries";
import { type FileRow, insertFile, listFileVersions, removeLocked, replaceFile } from "./files";
import { memoryShare, writeMemory } from "./prompt-section";

type Reader = Authorized<"memory:read">;
type Writer = Authorized<"memory:write">;
type Page = { agentId: string; ownerKey?: string | undefined; limit?: number | undefined; cursor?: string | undefined };

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
async function assertAgent(tx: Db, actor: Actor, agentId: string): Promise<void> {
  const [agent] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, actor.workspaceId), eq(agents.id, agentId)));
  if (!agent || !maySee(actor, agentId)) throw new AppError("not_found", "This agent does not exist. GET /api/v1/agents lists them.");
}

const maySee = (actor: Actor, agentId: string): boolean => actor.agentId === null || actor.agentId === agentId;

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

/** @throws AppError `invalid` for a bad name or owner, `conflict` */
export async function createFile(actor: Writer, { agentId, scope, ownerKey, ...draft }: MemoryFileDraft): Promise<MemoryFileContent> {
  if ((scope === "PERSONAL") !== (ownerKey !== null)) {
    throw new AppError("invalid", "ownerKey: a PERSONAL file needs its owner, such as user:<id>; others have none.", {
      errors: [{ path: "ownerKey", message: scope === "PERSONAL" ? "needs the owner" : "must be null for this scope" }],
    });
  }
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

/** Returns what the prompt of a conversation with this owner holds now. */
export async function showPrompt(actor: Reader, agentId: string, ownerKey: string): Promise<MemoryPrompt> {
  await assertAgent(db(), actor, agentId);
  const budgetTokens = sectionBudget(memoryShare);
  const text = await writeMemory({ workspaceId: actor.workspaceId, agentId, ownerKey }, budgetTokens);
  return { text, tokens: countTokens(text), budgetTokens };
}
