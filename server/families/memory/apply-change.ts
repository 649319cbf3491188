import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { type ChangedMemoryFile, type MergedMemoryEntry, memoryChanges } from "@/db/schema";
import { record } from "@/server/audit/record";
import { isAppError } from "@/server/platform/errors";
import { addFact, readFacts, trustOf } from "./facts";
import { insertFile, lockFile, replaceFile } from "./files";
import type { Rememberer } from "./owner";

/** A file that a model wrote; `content` gets the present text, null without a file, and returns null to leave it. */
export type ModelFile = { filename: string; isPrompted: boolean; content: (before: string | null) => string | null };
type Kind = "extraction" | "consolidation";

export type ModelChange = Rememberer & {
  kind: Kind;
  cause: string;
  reason: string;
  conversationId: string | null;
  files: readonly ModelFile[];
  facts: readonly { subject: string; statement: string }[];
  /** Merges entries in the transaction of the change, and returns those that went. */
  mergeEntries?: (tx: Db, author: ActorRef) => Promise<MergedMemoryEntry[]>;
};

const names: Record<Kind, string> = { extraction: "Extraction after a conversation", consolidation: "Nightly consolidation" };
const authorOf = (kind: Kind): ActorRef => ({ type: "system", id: `memory_${kind}`, name: names[kind] });
const maxReason = 1_000;

/**
 * Writes what a model wants to remember, with a row that says what changed, all in one transaction. The cause is unique, so work
 * that is repeated after a crash changes nothing twice. A text that a memory must not hold is left out, and the reason says so.
 */
export async function applyChange(tx: Db, change: ModelChange): Promise<void> {
  const { workspaceId, agentId, ownerKey, kind, cause, conversationId } = change;
  const author = authorOf(kind);
  const nothing = { status: "nothing" as const, reason: "", files: [], factIds: [], mergedEntries: [] };
  const [row] = await tx
    .insert(memoryChanges)
    .values({ workspaceId, agentId, ownerKey, kind, cause, conversationId, ...nothing })
    .onConflictDoNothing()
    .returning();
  if (!row) return;
  const leftOut: string[] = [];
  const files = await writeFiles(tx, change, author, leftOut);
  const factIds = await writeFacts(tx, change, author, leftOut);
  const mergedEntries = (await change.mergeEntries?.(tx, author)) ?? [];
  const isApplied = files.length + factIds.length + mergedEntries.length > 0;
  const reason = [change.reason, ...leftOut].join(" ").trim().slice(0, maxReason).toWellFormed();
  const status = isApplied ? "applied" : "nothing";
  await tx.update(memoryChanges).set({ status, reason, files, factIds, mergedEntries }).where(eq(memoryChanges.id, row.id));
  if (!isApplied) return;
  const data = { kind, files: files.length, facts: factIds.length, mergedEntries: mergedEntries.length };
  await record(tx, { workspaceId, event: "memory.changed", actor: author, subject: row.id, agent: agentId, conversationId, data });
}

async function writeFiles(tx: Db, { files, ...place }: ModelChange, actor: ActorRef, leftOut: string[]): Promise<ChangedMemoryFile[]> {
  const written: ChangedMemoryFile[] = [];
  const personal = { workspaceId: place.workspaceId, agentId: place.agentId, ownerKey: place.ownerKey, scope: "PERSONAL" as const };
  for (const { filename, isPrompted, content: write } of files) {
    const before = await lockFile(tx, personal, filename);
    const content = write(before?.content ?? null);
    if (content === null || content === before?.content) continue;
    const row = await unlessRefused(leftOut, () =>
      before
        ? replaceFile(tx, before, { content, actor })
        : insertFile(tx, { place: personal, filename, content, enabled: isPrompted, actor }),
    );
    if (row) written.push({ id: row.id, filename, before: before?.version ?? null, after: row.version });
  }
  return written;
}

async function writeFacts(tx: Db, { facts, ...change }: ModelChange, actor: ActorRef, leftOut: string[]): Promise<string[]> {
  const { workspaceId, agentId, ownerKey, conversationId } = change;
  const known = new Set((await readFacts(tx, { workspaceId, agentId, ownerKey })).map(({ id }) => id));
  const added: string[] = [];
  for (const fact of facts) {
    const source = conversationId === null ? null : `conversation ${conversationId}`;
    const place = { workspaceId, agentId, ownerKey, scope: "PERSONAL" as const };
    const row = await unlessRefused(leftOut, () => addFact(tx, place, { ...fact, source, trust: trustOf.extraction }, { actor }));
    if (row && !known.has(row.id)) added.push(row.id);
    if (row) known.add(row.id);
  }
  return added;
}

/** A refusal comes before any write, so the rest of the transaction stands. */
async function unlessRefused<Row>(leftOut: string[], write: () => Promise<Row>): Promise<Row | null> {
  try {
    return await write();
  } catch (error) {
    if (!isAppError(error) || (error.code !== "invalid" && error.code !== "conflict")) throw error;
    leftOut.push(`Left out: ${error.message}`);
    return null;
  }
}
