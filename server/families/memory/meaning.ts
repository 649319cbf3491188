import "server-only";
import { and, desc, eq, sql } from "drizzle-orm";
import type { NamedModel } from "@/contracts/models/models";
import type { Db } from "@/db/client";
import { memoryEmbeddings, memoryFiles, memorySettings } from "@/db/schema";
import { embedTexts } from "@/server/models/embed-texts";
import { modelKey } from "@/server/models/embedding-model";
import { ModelFault } from "@/server/models/model-fault";
import { rankVectors, signsOf, toUnit } from "@/server/retrieval/embeddings";
import { digestOf, type EmbeddedText, entryText, factText, fileTexts } from "./embedded-texts";
import { readEntries } from "./entries";
import { readFacts } from "./facts";
import { isVisible, type MemoryView } from "./owner";

export type NearText = EmbeddedText & { similarity: number };
/** Texts that mean something like a request, the nearest first; `note` says why texts were left out. */
export type Nearness = { texts: readonly NearText[]; note: string | null };

const maxFiles = 500;
/** Texts that are compared, the newest, and those of them that one search embeds. */
const [maxTexts, maxEmbedded] = [3_000, 256];
const nearest = 40;
/** A person waits for the answer; without it, words alone rank. */
const patienceMs = 8_000;

/** Returns the model that an agent's memories are embedded by; null without one. */
export async function findEmbeddingModel(tx: Db, agentId: string): Promise<NamedModel | null> {
  const [row] = await tx.select({ model: memorySettings.embeddingModel }).from(memorySettings).where(eq(memorySettings.agentId, agentId));
  return row?.model ?? null;
}

/** Finds remembered texts by their meaning. Texts that are new since the last search are embedded now. */
export async function findNear(tx: Db, view: MemoryView, model: NamedModel, query: string): Promise<Nearness> {
  const texts = await readTexts(tx, view);
  const byDigest = Map.groupBy(texts, ({ text }) => digestOf(text));
  const digests = [...byDigest.keys()];
  if (digests.length === 0 || query.trim() === "") return { texts: [], note: null };
  const isOfModel = and(eq(memoryEmbeddings.workspaceId, view.workspaceId), eq(memoryEmbeddings.model, modelKey(model)));
  const isAsked = sql`${isOfModel} and ${memoryEmbeddings.digest} = any(${sql.param(digests)}::text[])`;
  const known = new Set(
    (await tx.select({ digest: memoryEmbeddings.digest }).from(memoryEmbeddings).where(isAsked)).map(({ digest }) => digest),
  );
  const missing = digests.filter((digest) => !known.has(digest));
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const [request = []] = await embedTexts(view.workspaceId, model, [query], { signal, attempts: 1, use: "request" });
    await embedMissing(tx, view.workspaceId, model, missing.slice(0, maxEmbedded), byDigest, signal);
    const { signs, vector, digest } = memoryEmbeddings;
    const unit = toUnit(request);
    const ranked = unit
      ? await rankVectors(tx, { table: memoryEmbeddings, id: digest, signs, vector, where: isAsked, request: unit, limit: nearest })
      : [];
    const found = ranked.flatMap(({ id, similarity }) => (byDigest.get(id) ?? []).map((text) => ({ ...text, similarity })));
    const left = missing.length - maxEmbedded;
    return {
      texts: found,
      note: left > 0 ? `${left} texts have no embedding yet, so words alone find them. The next search goes on.` : null,
    };
  } catch (error) {
    if (!(error instanceof ModelFault) && !signal.aborted) throw error;
    const why = error instanceof ModelFault ? error.message : `${model.model} did not answer within ${patienceMs / 1_000} seconds.`;
    return { texts: [], note: `Words alone were compared, because the meaning could not be: ${why}` };
  }
}

async function embedMissing(
  tx: Db,
  workspaceId: string,
  model: NamedModel,
  missing: readonly string[],
  byDigest: ReadonlyMap<string, readonly EmbeddedText[]>,
  signal: AbortSignal,
): Promise<void> {
  if (missing.length === 0) return;
  const texts = missing.map((digest) => byDigest.get(digest)?.[0]?.text ?? "");
  const vectors = await embedTexts(workspaceId, model, texts, { signal, attempts: 1, use: "passage" });
  for (const [at, digest] of missing.entries()) {
    const given = vectors[at] ?? [];
    // A text without a direction is like no other, and must not be asked for again.
    const vector = toUnit(given) ?? given.map(() => 0);
    await tx.execute(sql`
      insert into ${memoryEmbeddings} (workspace_id, model, digest, signs, vector)
      values (${workspaceId}::uuid, ${modelKey(model)}, ${digest}, ${signsOf(vector)}::varbit, ${sql.param(vector)}::real[])
      on conflict do nothing`);
  }
}

async function readTexts(tx: Db, view: MemoryView): Promise<EmbeddedText[]> {
  const files = await tx
    .select({ id: memoryFiles.id, content: memoryFiles.content })
    .from(memoryFiles)
    .where(isVisible(memoryFiles, view))
    .orderBy(desc(memoryFiles.updatedAt), desc(memoryFiles.id))
    .limit(maxFiles);
  const [entries, facts] = [await readEntries(tx, view), await readFacts(tx, view)];
  return [...entries.map(entryText), ...facts.map(factText), ...files.flatMap(fileTexts)].slice(0, maxTexts);
}
