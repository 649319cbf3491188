import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeTransformationRuns, knowledgeTransformations } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { enqueue } from "@/server/platform/queue";
import type { BaseRow } from "../bases/base-rows";
import { queueEmbedding } from "../embeddings/embed-base";
import { pageQueue, transformationQueue } from "./work-queues";

/** Queues what follows the reading of a source: transformations for new sources, and pages in the mode eager. */
export async function queueWork(tx: Db, base: BaseRow, source: { id: string; workspaceId: string; revision: number }): Promise<void> {
  const { id: sourceId, workspaceId, revision } = source;
  const isForNew = and(eq(knowledgeTransformations.baseId, base.id), eq(knowledgeTransformations.appliesToNew, true));
  const wanted = base.writerAgentId === null ? [] : await tx.select().from(knowledgeTransformations).where(isForNew);
  for (const { id: transformationId, prompt } of wanted) {
    const [run] = await tx
      .insert(knowledgeTransformationRuns)
      .values({ workspaceId, baseId: base.id, transformationId, sourceId, prompt, startedBy: systemActor })
      .returning();
    if (run) await enqueue(tx, transformationQueue, [{ workspaceId, input: { runId: run.id } }]);
  }
  await queueEmbedding(tx, base);
  if (base.mode === "eager") await enqueue(tx, pageQueue, [{ workspaceId, input: { sourceId, revision } }]);
}
