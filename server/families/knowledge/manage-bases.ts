import "server-only";
import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { type KnowledgeBase, type KnowledgeBaseDraft, knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import type { Db } from "@/db/client";
import { agents, knowledgeBases, knowledgeEmbeddings, knowledgeLinks, knowledgePages, knowledgeSources } from "@/db/schema";
import type { Actor, Authorized } from "@/server/auth/actor";
import { assertProvider } from "@/server/models/assert-provider";
import { modelKey } from "@/server/models/embedding-model";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";
import { forgetSet } from "@/server/retrieval/stored-words";
import { type BaseRow, findBase, isSeen, lockBase, missingBase } from "./bases/base-rows";
import { queueEmbedding } from "./embeddings/embed-base";
import { pageSet } from "./pages/page-rows";
import { ensureSystemPages } from "./pages/system-pages";
import { chunkSet } from "./sources/chunk-rows";
import { assertWatchable } from "./sources/watched-folder";

export const bases = defineResource({
  table: knowledgeBases,
  endpoints: knowledgeEndpoints,
  noun: "knowledge base",
  present,
  inAudit: ({ name, description, mode, agents, writerAgentId, watchedFolder, embeddingModel }): JsonObject => ({
    ...{ name, description, mode, agents, writerAgentId, watchedFolder, embeddingModel },
  }),
  toColumns: async (draft, { before, actor, tx }) => {
    await assertAgents(tx, actor, draft);
    const watchedFolder = draft.watchedFolder || null;
    if (watchedFolder !== null && watchedFolder !== before?.watchedFolder) await requireWatchPermission(actor, watchedFolder);
    const isOtherModel = draft.embeddingModel !== null && keyOf(draft.embeddingModel) !== keyOf(before?.embeddingModel ?? null);
    if (isOtherModel && draft.embeddingModel) await assertProvider(tx, actor.workspaceId, "embeddingModel", draft.embeddingModel);
    if (isOtherModel && before) await queueEmbedding(tx, { ...before, ...draft });
    return {
      ...draft,
      watchedFolder,
      ...(isOtherModel || draft.embeddingModel === null ? { embeddingFault: null } : {}),
      ...(watchedFolder === before?.watchedFolder ? {} : { folderFault: null }),
    };
  },
  isUncached: true,
  assertRemovable: async ({ id, workspaceId }, tx) => {
    for (const set of [pageSet(id), chunkSet(id)]) await forgetSet(tx, { workspaceId, set });
  },
});

async function assertAgents(tx: Db, actor: Actor, { agents: named, writerAgentId, mode }: KnowledgeBaseDraft): Promise<void> {
  const ids = [...new Set([...named.map(({ agentId }) => agentId), ...(writerAgentId ? [writerAgentId] : [])])];
  const found =
    ids.length === 0
      ? []
      : await tx
          .select({ id: agents.id })
          .from(agents)
          .where(and(eq(agents.workspaceId, actor.workspaceId), inArray(agents.id, ids)));
  const missing = ids.find((id) => !found.some((agent) => agent.id === id));
  if (missing)
    refuse(missing === writerAgentId ? "writerAgentId" : "agents", "names an agent that does not exist. GET /api/v1/agents lists them.");
  if (new Set(named.map(({ agentId }) => agentId)).size < named.length) refuse("agents", "names an agent twice");
  if (mode === "eager" && writerAgentId === null) refuse("writerAgentId", "is needed in the mode eager: its models write the pages");
}

const keyOf = (model: BaseRow["embeddingModel"]): string => (model ? modelKey(model) : "");

async function requireWatchPermission(actor: Actor, folder: string): Promise<void> {
  if (actor.role !== "owner") {
    throw new AppError("forbidden", "watchedFolder: only an owner names a folder of the machine, because agents read all of its files.");
  }
  await assertWatchable(folder);
}

function refuse(path: string, message: string): never {
  throw new AppError("invalid", `${path} ${message}`, { errors: [{ path, message }] });
}

/** Converts bases to their public form, with counts of what they hold. */
async function present(rows: readonly BaseRow[], tx: Db): Promise<KnowledgeBase[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const ofSources = await tx
    .select({
      baseId: knowledgeSources.baseId,
      sources: sql<number>`count(*)::int`,
      unread: sql<number>`(count(*) filter (where ${knowledgeSources.state} in ('pending', 'processing')))::int`,
      failed: sql<number>`(count(*) filter (where ${knowledgeSources.state} in ('partial', 'failed')))::int`,
      passages: sql<number>`coalesce(sum(${knowledgeSources.chunkCount}), 0)::int`,
    })
    .from(knowledgeSources)
    .where(inArray(knowledgeSources.baseId, ids))
    .groupBy(knowledgeSources.baseId);
  const ofPages = await tx
    .select({
      baseId: knowledgePages.baseId,
      pages: sql<number>`count(*)::int`,
      stale: sql<number>`(count(*) filter (where ${knowledgePages.staleReason} is not null))::int`,
    })
    .from(knowledgePages)
    .where(and(inArray(knowledgePages.baseId, ids), eq(knowledgePages.isSystem, false), eq(knowledgePages.archived, false)))
    .groupBy(knowledgePages.baseId);
  const broken = await tx
    .select({ baseId: knowledgeLinks.baseId, brokenLinks: sql<number>`count(*)::int` })
    .from(knowledgeLinks)
    .where(and(inArray(knowledgeLinks.baseId, ids), isNull(knowledgeLinks.toPageId)))
    .groupBy(knowledgeLinks.baseId);
  const embedded = await tx
    .select({ baseId: knowledgeEmbeddings.baseId, model: knowledgeEmbeddings.model, embedded: sql<number>`count(*)::int` })
    .from(knowledgeEmbeddings)
    .where(inArray(knowledgeEmbeddings.baseId, ids))
    .groupBy(knowledgeEmbeddings.baseId, knowledgeEmbeddings.model);
  const of = <Counted extends { baseId: string }>(counted: readonly Counted[], id: string) => counted.find(({ baseId }) => baseId === id);
  return rows.map(({ workspaceId: _, embeddedAt: _tried, createdAt, updatedAt, ...row }) => ({
    ...row,
    ...{ sources: 0, unread: 0, failed: 0, pages: 0, stale: 0, brokenLinks: 0 },
    ...of(ofSources, row.id),
    ...of(ofPages, row.id),
    ...of(broken, row.id),
    embedded: embedded.find(({ baseId, model }) => baseId === row.id && model === keyOf(row.embeddingModel))?.embedded ?? 0,
    embeddable: row.embeddingModel ? (of(ofSources, row.id)?.passages ?? 0) + (of(ofPages, row.id)?.pages ?? 0) : 0,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

export async function listBases(
  actor: Authorized<"knowledge:read">,
  { limit = 50, cursor }: { limit?: number; cursor?: string | undefined },
) {
  const after = cursor === undefined ? undefined : gt(knowledgeBases.id, decodeCursor(cursor, IdCursor)[0]);
  const found = await db()
    .select()
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.workspaceId, actor.workspaceId), isSeen(actor), after))
    .orderBy(asc(knowledgeBases.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: await present(rows, db()), nextCursor };
}

export async function getBase(actor: Authorized<"knowledge:read">, id: string): Promise<KnowledgeBase> {
  const [view] = await present([await findBase(actor, id)], db());
  if (!view) throw missingBase();
  return view;
}

export async function createBase(actor: Authorized<"knowledge:write">, body: KnowledgeBaseDraft): Promise<KnowledgeBase> {
  const created = await bases.create({ actor, body });
  await db().transaction(async (tx) => ensureSystemPages(tx, await lockBase(tx, created.id)));
  return created;
}
