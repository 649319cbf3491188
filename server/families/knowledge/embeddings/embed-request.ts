import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeChunks, knowledgeEmbeddings, knowledgePages } from "@/db/schema";
import { embedTexts } from "@/server/models/embed-texts";
import { modelKey } from "@/server/models/embedding-model";
import { ModelFault } from "@/server/models/model-fault";
import { rankVectors, toUnit } from "@/server/retrieval/embeddings";
import type { BaseRow } from "../bases/base-rows";

/** A person waits for the answer; without it, words alone rank. */
const patienceMs = 5_000;

/** The vector of a request; without one, `note` says why meaning is left out. */
export type Meaning = { vector: readonly number[] | null; note: string | null };
export const noMeaning: Meaning = { vector: null, note: null };

/** Embeds a request by the model of a base, if it has one. */
export async function embedRequest({ workspaceId, embeddingModel, embeddingFault }: BaseRow, request: string): Promise<Meaning> {
  if (!embeddingModel || request.trim() === "") return noMeaning;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const [found] = await embedTexts(workspaceId, embeddingModel, [request], { signal, attempts: 1, use: "request" });
    const vector = toUnit(found ?? []);
    const note = embeddingFault === null ? null : `Some passages have no embedding, so words alone find them: ${embeddingFault}`;
    return { vector, note };
  } catch (error) {
    if (!(error instanceof ModelFault) && !signal.aborted) throw error;
    const why =
      error instanceof ModelFault ? error.message : `${embeddingModel.model} did not answer within ${patienceMs / 1_000} seconds.`;
    return { vector: null, note: `Words alone were compared, because the meaning could not be: ${why}` };
  }
}

type Ranked = { id: string; similarity: number }[];
const columns = { table: knowledgeEmbeddings, signs: knowledgeEmbeddings.signs, vector: knowledgeEmbeddings.vector };
const ofModel = ({ id, embeddingModel }: BaseRow) =>
  sql`${eq(knowledgeEmbeddings.baseId, id)} and ${eq(knowledgeEmbeddings.model, embeddingModel ? modelKey(embeddingModel) : "")}`;

/** Ranks the passages of a base by their meaning. */
export async function rankChunks(tx: Db, base: BaseRow, { vector }: Meaning, limit: number, sourceId?: string): Promise<Ranked> {
  if (!vector) return [];
  const ofSource =
    sourceId === undefined
      ? sql``
      : sql` and ${knowledgeEmbeddings.chunkId} in (select ${knowledgeChunks.id} from ${knowledgeChunks} where ${knowledgeChunks.sourceId} = ${sourceId})`;
  const where = sql`${ofModel(base)} and ${knowledgeEmbeddings.chunkId} is not null${ofSource}`;
  return rankVectors(tx, { ...columns, id: knowledgeEmbeddings.chunkId, where, request: vector, limit });
}

/** Ranks pages of a base by their meaning; `isShown` chooses among its pages. */
export async function rankPages(
  tx: Db,
  base: BaseRow,
  { vector }: Meaning,
  limit: number,
  isShown: ReturnType<typeof sql>,
): Promise<Ranked> {
  if (!vector) return [];
  const shown = sql`${knowledgeEmbeddings.pageId} in (select ${knowledgePages.id} from ${knowledgePages} where ${isShown})`;
  const where = sql`${ofModel(base)} and ${shown}`;
  return rankVectors(tx, { ...columns, id: knowledgeEmbeddings.pageId, where, request: vector, limit });
}
