import "server-only";
import { and, asc, desc, eq, inArray } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import {
  knowledgeTransformationEndpoints as endpoints,
  type Transformation,
  type TransformationDraft,
  type TransformationRun,
} from "@/contracts/knowledge/knowledge-transformations";
import type { Db } from "@/db/client";
import { knowledgePages, knowledgeSources, knowledgeTransformationRuns, knowledgeTransformations } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { enqueue } from "@/server/platform/queue";
import { defineResource } from "@/server/resources/define-resource";
import { findBase, readBase } from "../bases/base-rows";
import type { By } from "../pages/save-page";
import { transformationQueue } from "../work/work-queues";

export type TransformationRow = typeof knowledgeTransformations.$inferSelect;
export type RunRow = typeof knowledgeTransformationRuns.$inferSelect;
type Reader = Authorized<"knowledge:read">;
type Writer = Authorized<"knowledge:write">;

const resource = defineResource({
  table: knowledgeTransformations,
  endpoints: {
    list: endpoints.list,
    create: endpoints.create,
    remove: endpoints.remove,
  },
  noun: "transformation",
  present: (rows) => rows.map(present),
  inAudit: ({ name, format, appliesToNew, pageType }): JsonObject => ({ name, format, appliesToNew, pageType }),
  toColumns: (draft: TransformationDraft) => {
    if (draft.format !== "json" && draft.schema !== null) refuse("schema", "is for the format json");
    if (!draft.prompt.includes("{input_text}")) refuse("prompt", "needs the place {input_text} for the text");
    return draft;
  },
  isUncached: true,
});

function refuse(path: string, message: string): never {
  throw new AppError("invalid", `${path} ${message}`, { errors: [{ path, message }] });
}

function present({ workspaceId: _, createdAt, updatedAt, ...row }: TransformationRow): Transformation {
  return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export async function listTransformations(actor: Reader, baseId: string): Promise<{ items: Transformation[] }> {
  await findBase(actor, baseId);
  return { items: (await transformationsOf(db(), baseId)).map(present) };
}

export const transformationsOf = (tx: Db, baseId: string): Promise<TransformationRow[]> =>
  tx
    .select()
    .from(knowledgeTransformations)
    .where(eq(knowledgeTransformations.baseId, baseId))
    .orderBy(asc(knowledgeTransformations.name))
    .limit(200);

export async function createTransformation(actor: Writer, baseId: string, body: TransformationDraft): Promise<Transformation> {
  await findBase(actor, baseId);
  return resource.insert(actor, body, { baseId });
}

export async function updateTransformation(
  actor: Writer,
  id: string,
  body: TransformationDraft,
  version: number | null,
): Promise<Transformation> {
  await findTransformation(actor, id);
  return resource.update({ actor, params: { id }, body, version });
}

export async function removeTransformation(actor: Writer, id: string, version: number | null): Promise<void> {
  await findTransformation(actor, id);
  await resource.remove({ actor, params: { id }, version });
}

async function findTransformation(actor: Actor, id: string): Promise<TransformationRow> {
  const row = await resource.find(actor.workspaceId, id);
  if (actor.agentId !== null) await findBase(actor, row.baseId).catch(() => Promise.reject(resource.missing()));
  return row;
}

export type Subject = { sourceId: string | null; pageId: string | null };

export async function runTransformation(actor: Writer, id: string, subject: Subject): Promise<TransformationRun> {
  const transformation = await findTransformation(actor, id);
  return db().transaction(async (tx) => {
    const run = await startRun(tx, transformation, subject, { actor: toActorRef(actor), requestId: actor.requestId });
    return presentRun(tx, run);
  });
}

/** Queues a run on a source or a page of the transformation's base. @throws AppError `not_found`, `conflict` */
export async function startRun(
  tx: Db,
  transformation: TransformationRow,
  { sourceId, pageId }: Subject,
  { actor, requestId = null }: By,
): Promise<RunRow> {
  const { id: transformationId, workspaceId, baseId, prompt, name } = transformation;
  const base = await readBase(tx, baseId);
  if (base.writerAgentId === null) {
    throw new AppError("conflict", "The knowledge base has no agent whose model runs transformations. Choose one in its settings.");
  }
  const [subject] = sourceId
    ? await tx
        .select({ id: knowledgeSources.id })
        .from(knowledgeSources)
        .where(and(eq(knowledgeSources.baseId, baseId), eq(knowledgeSources.id, sourceId)))
    : await tx
        .select({ id: knowledgePages.id })
        .from(knowledgePages)
        .where(and(eq(knowledgePages.baseId, baseId), eq(knowledgePages.id, pageId ?? "")));
  if (!subject) throw new AppError("not_found", `The knowledge base has no such ${sourceId ? "source" : "page"}.`);
  const [run] = await tx
    .insert(knowledgeTransformationRuns)
    .values({ workspaceId, baseId, transformationId, sourceId, pageId, prompt, startedBy: actor })
    .returning();
  if (!run) throw new Error("A run was not inserted");
  await enqueue(tx, transformationQueue, [{ workspaceId, input: { runId: run.id } }]);
  await record(tx, {
    workspaceId,
    event: "transformation.run",
    actor,
    requestId,
    subject: transformationId,
    data: { name, sourceId, pageId },
  });
  return run;
}

export async function listRuns(actor: Reader, id: string): Promise<{ items: TransformationRun[] }> {
  await findTransformation(actor, id);
  return { items: await Promise.all((await runsOf(db(), id)).map((run) => presentRun(db(), run))) };
}

/** The last runs of a transformation, newest first. */
export const runsOf = (tx: Db, transformationId: string, limit = 100): Promise<RunRow[]> =>
  tx
    .select()
    .from(knowledgeTransformationRuns)
    .where(eq(knowledgeTransformationRuns.transformationId, transformationId))
    .orderBy(desc(knowledgeTransformationRuns.id))
    .limit(limit);

export async function presentRun(
  tx: Db,
  { workspaceId: _, baseId: _base, updatedAt: _updated, createdAt, finishedAt, ...run }: RunRow,
): Promise<TransformationRun> {
  const [named] = run.sourceId
    ? await tx.select({ name: knowledgeSources.name }).from(knowledgeSources).where(eq(knowledgeSources.id, run.sourceId))
    : await tx
        .select({ name: knowledgePages.title })
        .from(knowledgePages)
        .where(eq(knowledgePages.id, run.pageId ?? ""));
  return {
    ...run,
    data: run.data ?? null,
    subject: named?.name ?? "",
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

/** @throws AppError `not_found`, `conflict` for a run that has ended */
export async function cancelRun(actor: Writer, id: string): Promise<TransformationRun> {
  const isThis = and(eq(knowledgeTransformationRuns.workspaceId, actor.workspaceId), eq(knowledgeTransformationRuns.id, id));
  const [found] = await db().select().from(knowledgeTransformationRuns).where(isThis);
  if (!found) throw new AppError("not_found", "This run does not exist. It may have been removed with its transformation.");
  await findTransformation(actor, found.transformationId);
  return db().transaction(async (tx) => {
    const isOpen = and(isThis, inArray(knowledgeTransformationRuns.state, ["queued", "running"]));
    const [run] = await tx
      .update(knowledgeTransformationRuns)
      .set({ state: "cancelled", finishedAt: new Date() })
      .where(isOpen)
      .returning();
    if (run) return presentRun(tx, run);
    const [ended] = await tx.select({ state: knowledgeTransformationRuns.state }).from(knowledgeTransformationRuns).where(isThis);
    throw new AppError("conflict", `This run has ended already (${ended?.state ?? "removed"}).`);
  });
}
