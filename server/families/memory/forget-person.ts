import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { memoryEmbeddings, memoryFiles, memoryFileVersions } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { Forgetting, Subject } from "@/server/platform/extension-points/forget-person";
import { countRows, removeUnusedWords } from "@/server/retrieval/stored-words";
import { memorySet, wordColumns } from "./files";

const table = "memory files";

/** The personal files of a person's memory, with the words that are counted of them. Shared memory belongs to the workspace. */
export const memoryForgetting: Forgetting = {
  title: "Memory",
  order: "first",
  count: async (subject) => ({ [table]: await db().$count(memoryFiles, ownFiles(subject)) }),
  read: async function* (subject) {
    const files = await db().select().from(memoryFiles).where(ownFiles(subject)).orderBy(memoryFiles.id);
    for (const { words: _, ...row } of files) {
      const versions = await db().select().from(memoryFileVersions).where(eq(memoryFileVersions.fileId, row.id));
      yield { table, row: { ...row, versions } };
    }
  },
  forget: async (tx, erasure) => {
    await dropEmbeddingsOfAll(tx, erasure);
    const files = await tx.select({ id: memoryFiles.id }).from(memoryFiles).where(ownFiles(erasure)).for("update");
    if (files.length === 0) return { [table]: 0 };
    const isOwn = inArray(
      memoryFiles.id,
      files.map(({ id }) => id),
    );
    const searched = { workspaceId: erasure.workspaceId, set: memorySet };
    await countRows(tx, searched, wordColumns, isOwn, -1);
    await tx.delete(memoryFiles).where(isOwn);
    await removeUnusedWords(tx, searched);
    return { [table]: files.length };
  },
};

/**
 * Embeddings have no owner, and entries and facts have gone before, as rows of the person: all of the workspace's are dropped. The next
 * searches make them again.
 */
async function dropEmbeddingsOfAll(tx: Db, { workspaceId, kind }: Subject): Promise<void> {
  if (kind !== "conversation") await tx.delete(memoryEmbeddings).where(eq(memoryEmbeddings.workspaceId, workspaceId));
}

function ownFiles({ workspaceId, kind, id }: Subject) {
  const owner = kind === "conversation" ? null : `${kind === "member" ? "user" : "contact"}:${id}`;
  return and(eq(memoryFiles.workspaceId, workspaceId), owner === null ? sql`false` : eq(memoryFiles.ownerKey, owner));
}
