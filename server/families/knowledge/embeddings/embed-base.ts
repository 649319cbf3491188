import "server-only";
import { and, asc, eq, isNotNull, notExists, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import { Id } from "@/contracts/common";
import type { Db } from "@/db/client";
import { knowledgeBases, knowledgeChunks, knowledgeEmbeddings, knowledgePages } from "@/db/schema";
import type { Attempt } from "@/server/jobs/run-queue";
import { embedTexts } from "@/server/models/embed-texts";
import { modelKey } from "@/server/models/embedding-model";
import { ModelFault } from "@/server/models/model-fault";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { defineQueue, enqueue } from "@/server/platform/queue";
import { signsOf, toUnit } from "@/server/retrieval/embeddings";
import type { BaseRow } from "../bases/base-rows";

/** One item is all passages and pages of a base that lack an embedding of its model. */
export const embeddingQueue = defineQueue({
  name: "embed_knowledge",
  title: "Embeddings of knowledge",
  description: "Asks the model of a knowledge base for the embeddings that are missing",
  input: z.object({ baseId: Id }),
  retry: { attempts: 5, firstDelaySeconds: 5, maxDelaySeconds: 300 },
  concurrency: 2,
  groupConcurrency: 1,
});

const rowsAtOnce = 64;
/** Models read at least this much; the beginning of a longer page stands for it. */
const maxCharacters = 6_000;

/** Queues what a base lacks, in the transaction that changed it. A base without a model costs nothing. */
export async function queueEmbedding(tx: Db, { id, workspaceId, embeddingModel }: BaseRow): Promise<void> {
  if (embeddingModel) await enqueue(tx, embeddingQueue, [{ workspaceId, input: { baseId: id }, group: id }]);
}

type Missing = { chunkId: string | null; pageId: string | null; version: number; text: string };

/** Embeds what a base lacks, some texts at a time. What is stored stays, so a later attempt goes on behind it. */
export async function embedBase({ baseId }: { baseId: string }, { signal, number }: Attempt): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [base] = await db().select().from(knowledgeBases).where(eq(knowledgeBases.id, baseId));
    if (!base?.embeddingModel) return;
    const missing = await findMissing(base, modelKey(base.embeddingModel));
    if (missing.length === 0) {
      if (base.embeddingFault !== null) await note(db(), baseId, null);
      return;
    }
    try {
      const vectors = await embedTexts(
        base.workspaceId,
        base.embeddingModel,
        missing.map(({ text }) => text),
        { signal, use: "passage" },
      );
      if (!(await keepVectors(base, missing, vectors))) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFault)) throw error;
      await note(db(), baseId, error.message);
      if (error.mayRecover && number < embeddingQueue.retry.attempts) throw error;
      log().warn({ err: error, base: base.id }, "embeddings of a knowledge base could not be made");
      return;
    }
  }
}

async function findMissing({ id: baseId }: BaseRow, model: string): Promise<Missing[]> {
  const lacks = (column: PgColumn, of: PgColumn) =>
    notExists(
      db()
        .select({ one: sql`1` })
        .from(knowledgeEmbeddings)
        .where(and(eq(column, of), eq(knowledgeEmbeddings.model, model))),
    );
  const pages = await db()
    .select({ id: knowledgePages.id, title: knowledgePages.title, content: knowledgePages.content, version: knowledgePages.version })
    .from(knowledgePages)
    .where(and(eq(knowledgePages.baseId, baseId), eq(knowledgePages.isSystem, false), lacks(knowledgeEmbeddings.pageId, knowledgePages.id)))
    .orderBy(asc(knowledgePages.id))
    .limit(rowsAtOnce);
  const chunks = await db()
    .select({ id: knowledgeChunks.id, headings: knowledgeChunks.headings, text: knowledgeChunks.text })
    .from(knowledgeChunks)
    .where(and(eq(knowledgeChunks.baseId, baseId), lacks(knowledgeEmbeddings.chunkId, knowledgeChunks.id)))
    .orderBy(asc(knowledgeChunks.id))
    .limit(rowsAtOnce - pages.length);
  return [
    ...pages.map(({ id, title, content, version }) => ({ chunkId: null, pageId: id, version, text: cut(`${title}\n\n${content}`) })),
    ...chunks.map(({ id, headings, text }) => ({ chunkId: id, pageId: null, version: 0, text: cut([...headings, text].join("\n")) })),
  ];
}

const cut = (text: string): string => text.slice(0, maxCharacters).toWellFormed();

/** Stores vectors of texts that are still as they were embedded. @returns false when the base has another model now */
async function keepVectors(
  { id: baseId, embeddingModel }: BaseRow,
  missing: readonly Missing[],
  vectors: readonly number[][],
): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [base] = await tx.select().from(knowledgeBases).where(eq(knowledgeBases.id, baseId)).for("update");
    if (!embeddingModel || !base?.embeddingModel || modelKey(base.embeddingModel) !== modelKey(embeddingModel)) return false;
    const model = modelKey(embeddingModel);
    for (const [at, { chunkId, pageId, version }] of missing.entries()) {
      const given = vectors[at] ?? [];
      // A text without a direction is like no other, and must not be asked for again.
      const vector = toUnit(given) ?? given.map(() => 0);
      const row = sql`select ${newId()}::uuid, ${baseId}::uuid, ${chunkId}::uuid, ${pageId}::uuid, ${model}, ${signsOf(vector)}::varbit, ${sql.param(vector)}::real[]`;
      const isThere = chunkId
        ? sql`exists (select 1 from ${knowledgeChunks} where ${knowledgeChunks.id} = ${chunkId})`
        : sql`exists (select 1 from ${knowledgePages} where ${knowledgePages.id} = ${pageId} and ${knowledgePages.version} = ${version})`;
      const target = chunkId ? sql`(chunk_id)` : sql`(page_id)`;
      await tx.execute(sql`
        insert into ${knowledgeEmbeddings} (id, base_id, chunk_id, page_id, model, signs, vector) ${row} where ${isThere}
        on conflict ${target} do update set model = excluded.model, signs = excluded.signs, vector = excluded.vector`);
    }
    await note(tx, baseId, null);
    return true;
  });
}

/** Notes the last try, so that nobody takes its work for lost. */
const note = (tx: Db, id: string, embeddingFault: string | null) =>
  tx
    .update(knowledgeBases)
    .set({ embeddingFault, embeddedAt: new Date(), updatedAt: sql`${knowledgeBases.updatedAt}` })
    .where(eq(knowledgeBases.id, id));

/** Queues bases whose embeddings were lost with a process, and again each hour those whose model did not answer. */
export async function findLostEmbeddings(): Promise<void> {
  const lastTry = sql`coalesce(${knowledgeBases.embeddedAt}, ${knowledgeBases.updatedAt})`;
  const patience = sql`case when ${knowledgeBases.embeddingFault} is null then interval '10 minutes' else interval '1 hour' end`;
  const bases = await db()
    .select()
    .from(knowledgeBases)
    .where(and(isNotNull(knowledgeBases.embeddingModel), sql`${lastTry} < now() - ${patience}`))
    .limit(200);
  for (const base of bases) {
    if (!base.embeddingModel || (await findMissing(base, modelKey(base.embeddingModel))).length === 0) continue;
    await db().transaction(async (tx) => {
      await note(tx, base.id, base.embeddingFault);
      await queueEmbedding(tx, base);
    });
  }
}
