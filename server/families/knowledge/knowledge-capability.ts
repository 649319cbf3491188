import "server-only";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, knowledgeBases, knowledgePages } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { enqueue } from "@/server/platform/queue";
import { type BaseRow, isBoundTo, lockBase } from "./bases/base-rows";
import { embedRequest, noMeaning } from "./embeddings/embed-request";
import { isListed, pageBySlug, readCitations } from "./pages/manage-pages";
import { findBySlugs, type PageRow } from "./pages/page-rows";
import { explainRelation, type Related, relatedPages, type Signals } from "./pages/related-pages";
import { type By, insertPage, type PageDraft, removePage, replacePage, setArchived } from "./pages/save-page";
import { type ChunkHit, type PageHit, type SearchMode, searchChunks, searchPages } from "./search/search";
import { findNamedSource } from "./sources/manage-sources";
import { compilePage } from "./transformations/compile-page";
import { type RunRow, runsOf, startRun, type TransformationRow, transformationsOf } from "./transformations/manage-transformations";
import { enrichQueue } from "./work/work-queues";

/** The knowledge base that a call means: by name, by id, or the only one. */
export type Choice = { kbName?: string | undefined; kbIdParam?: string | undefined };
type PageSearch = { request: string; limit: number; mode: SearchMode; layer?: PageRow["layer"] | undefined };
type Access = BaseRow["agents"][number];
type Cited = Awaited<ReturnType<typeof readCitations>>;
type Ask = Parameters<typeof compilePage>[2];

/** The knowledge bases that the conversation's agent may use. */
export type KnowledgeCapability = {
  agentId: () => Promise<string>;
  bases: () => Promise<{ base: BaseRow; access: Access; pages: number }[]>;
  /** @throws AppError for no base, several or a foreign one */
  base: (choice: Choice) => Promise<BaseRow>;
  pages: (choice: Choice, filter?: { stale?: boolean }) => Promise<{ base: BaseRow; pages: PageRow[] }>;
  /** @throws AppError `not_found` */
  page: (choice: Choice, slug: string) => Promise<{ base: BaseRow; page: PageRow; citations: Cited }>;
  pagesBySlugs: (choice: Choice, slugs: readonly string[]) => Promise<{ base: BaseRow; pages: Map<string, PageRow> }>;
  /** `note` says what the search lacks, such as the meaning when its model does not answer. */
  searchPages: (choice: Choice, search: PageSearch) => Promise<{ hits: PageHit[]; note: string | null }>;
  searchChunks: (choice: Choice, query: string, limit: number) => Promise<{ base: BaseRow; hits: ChunkHit[]; note: string | null }>;
  related: (choice: Choice, slug: string, limit: number) => Promise<Related[]>;
  relation: (choice: Choice, slugA: string, slugB: string) => Promise<Signals>;
  create: (choice: Choice, draft: PageDraft) => Promise<{ base: BaseRow; page: PageRow }>;
  update: (choice: Choice, slug: string, draft: Partial<PageDraft>) => Promise<PageRow>;
  remove: (choice: Choice, slug: string) => Promise<PageRow>;
  archive: (choice: Choice, slug: string, archived: boolean) => Promise<{ page: PageRow; changed: boolean }>;
  compile: (
    base: BaseRow,
    page: { topic: string; slug: string; evidence: readonly ChunkHit[] },
    ask: Ask,
  ) => ReturnType<typeof compilePage>;
  enrich: (choice: Choice, slug: string) => Promise<PageRow>;
  transformations: (choice: Choice) => Promise<{ base: BaseRow; transformations: TransformationRow[] }>;
  runs: (choice: Choice, name: string, limit: number) => Promise<{ transformation: TransformationRow; runs: RunRow[] }>;
  transform: (choice: Choice, name: string, subject: { source?: string | undefined; slug?: string | undefined }) => Promise<RunRow>;
};

const noBase = "This agent has no knowledge base. An admin names the agent in the settings of one, on the page Knowledge.";
type Agent = { id: string; workspaceId: string; by: By };

export const knowledge = defineCapability({
  name: "knowledge",
  title: "Knowledge bases of the agent",
  isOfConversation: false,
  create: ({ conversationId }): KnowledgeCapability => {
    let found: Promise<Agent> | null = null;
    const own = () => {
      found ??= findAgent(conversationId);
      return found;
    };
    const chosen = async (choice: Choice) => chooseBase(await own(), choice);
    const changed = async <T>(
      choice: Choice,
      work: (tx: Db, base: BaseRow, about: { by: By; access: Access }) => Promise<T>,
    ): Promise<T> => {
      const agent = await own();
      const base = await chooseBase(agent, choice);
      return db().transaction(async (tx) => {
        const locked = await lockBase(tx, base.id);
        return work(tx, locked, { by: agent.by, access: writeAccess(locked, agent.id) });
      });
    };
    const changePage = <T>(choice: Choice, slug: string, work: (tx: Db, base: BaseRow, page: PageRow, by: By) => Promise<T>) =>
      changed(choice, async (tx, base, { by, access }) => {
        const { id } = await pageBySlug(tx, base.id, slug);
        const [page] = await tx.select().from(knowledgePages).where(eq(knowledgePages.id, id)).for("update");
        if (!page) throw new AppError("not_found", `Page not found: ${slug}`);
        requirePageType(base, access, page.type);
        return work(tx, base, page, by);
      });
    return {
      agentId: async () => (await own()).id,
      bases: async () => listBound(await own()),
      base: chosen,
      pages: async (choice, filter = {}) => {
        const base = await chosen(choice);
        return {
          base,
          pages: await db().select().from(knowledgePages).where(isListed(base.id, filter)).orderBy(asc(knowledgePages.title)).limit(1_000),
        };
      },
      page: async (choice, slug) => {
        const base = await chosen(choice);
        const page = await pageBySlug(db(), base.id, slug);
        return { base, page, citations: await readCitations(db(), page.id) };
      },
      pagesBySlugs: async (choice, slugs) => {
        const base = await chosen(choice);
        return { base, pages: await findBySlugs(db(), base.id, slugs) };
      },
      searchPages: async (choice, search) => {
        const base = await chosen(choice);
        const meaning = search.mode === "keyword" ? noMeaning : await embedRequest(base, search.request);
        return { hits: await searchPages(db(), base, { ...search, meaning }), note: meaning.note };
      },
      searchChunks: async (choice, request, limit) => {
        const base = await chosen(choice);
        const meaning = await embedRequest(base, request);
        return { base, hits: await searchChunks(db(), base, { request, limit, meaning }), note: meaning.note };
      },
      related: async (choice, slug, limit) => relatedPages(db(), await pageBySlug(db(), (await chosen(choice)).id, slug), limit),
      relation: async (choice, slugA, slugB) => {
        const { id } = await chosen(choice);
        return explainRelation(db(), await pageBySlug(db(), id, slugA), await pageBySlug(db(), id, slugB));
      },
      create: (choice, draft) =>
        changed(choice, async (tx, base, { by, access }) => {
          requirePageType(base, access, draft.type ?? "note");
          return { base, page: await insertPage(tx, base, draft, by) };
        }),
      update: (choice, slug, draft) => changePage(choice, slug, (tx, base, page, by) => replacePage(tx, base, page, draft, by)),
      remove: (choice, slug) =>
        changePage(choice, slug, async (tx, base, page, by) => {
          await removePage(tx, base, page, by);
          return page;
        }),
      archive: (choice, slug, archived) =>
        changePage(choice, slug, async (tx, base, page, by) => ({ page, changed: await setArchived(tx, base, page, archived, by) })),
      compile: async (base, page, ask) => {
        const { id, by } = await own();
        const requireMayWrite = (current: BaseRow, type: string) => requirePageType(current, writeAccess(current, id), type);
        return compilePage(base, page, ask, { ...by, requireMayWrite });
      },
      enrich: (choice, slug) =>
        changePage(choice, slug, async (tx, { workspaceId }, page) => {
          await enqueue(tx, enrichQueue, [{ workspaceId, input: { pageId: page.id } }]);
          return page;
        }),
      transformations: async (choice) => {
        const base = await chosen(choice);
        return { base, transformations: await transformationsOf(db(), base.id) };
      },
      runs: async (choice, name, limit) => {
        const transformation = await namedTransformation(db(), await chosen(choice), name);
        return { transformation, runs: await runsOf(db(), transformation.id, limit) };
      },
      transform: (choice, name, subject) =>
        changed(choice, async (tx, base, { by, access }) => {
          const transformation = await namedTransformation(tx, base, name);
          if (transformation.pageType !== null) requirePageType(base, access, transformation.pageType);
          return startRun(tx, transformation, await subjectOf(tx, base, subject), by);
        }),
    };
  },
});

async function findAgent(conversationId: string): Promise<Agent> {
  const conversation = await readConversation(conversationId);
  const [agent] = conversation ? await db().select().from(agents).where(eq(agents.id, conversation.agentId)) : [];
  if (!conversation || !agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  const actor: ActorRef = { type: "agent", id: agent.id, name: agent.name };
  return { id: agent.id, workspaceId: conversation.workspaceId, by: { actor } };
}

const boundTo = ({ id, workspaceId }: Agent) =>
  db()
    .select()
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.workspaceId, workspaceId), isBoundTo(id)))
    .orderBy(asc(knowledgeBases.name))
    .limit(200);

async function listBound(agent: Agent) {
  const bound = await boundTo(agent);
  const counts = await db()
    .select({ baseId: knowledgePages.baseId, pages: sql<number>`count(*)::int` })
    .from(knowledgePages)
    .where(
      and(
        inArray(
          knowledgePages.baseId,
          bound.map(({ id }) => id),
        ),
        eq(knowledgePages.isSystem, false),
        eq(knowledgePages.archived, false),
      ),
    )
    .groupBy(knowledgePages.baseId);
  return bound.map((base) => ({
    base,
    access: accessOf(base, agent.id),
    pages: counts.find(({ baseId }) => baseId === base.id)?.pages ?? 0,
  }));
}

async function chooseBase(agent: Agent, { kbName, kbIdParam }: Choice): Promise<BaseRow> {
  const bound = await boundTo(agent);
  if (bound.length === 0) throw new AppError("not_found", noBase);
  const candidates = bound
    .map(({ name, id }) => `${name} (${id})`)
    .join(", ")
    .slice(0, 2_000);
  if (!kbName && !kbIdParam) {
    if (bound.length === 1 && bound[0]) return bound[0];
    throw new AppError("invalid", `Several knowledge bases: send kbName or kbIdParam. Candidates: ${candidates}`);
  }
  const found = bound.find(({ id, name }) => (kbIdParam ? id === kbIdParam : name.toLowerCase() === kbName?.toLowerCase()));
  if (!found) throw new AppError("not_found", `Knowledge base not found: ${kbIdParam ?? kbName}. Candidates: ${candidates}`);
  return found;
}

const accessOf = ({ agents }: BaseRow, id: string): Access =>
  agents.find(({ agentId }) => agentId === id) ?? { agentId: id, access: "read", pageTypes: [] };

function writeAccess(base: BaseRow, agentId: string): Access {
  const access = accessOf(base, agentId);
  if (access.access !== "write")
    throw new AppError("forbidden", `This agent may only read the knowledge base ${base.name}. An admin gives it write access there.`);
  return access;
}

function requirePageType({ name }: BaseRow, { pageTypes }: Access, type: string): void {
  if (pageTypes.length === 0 || pageTypes.includes(type)) return;
  throw new AppError("forbidden", `This agent may not write pages of the type ${type} in ${name}, only of ${pageTypes.join(", ")}.`);
}

async function namedTransformation(tx: Db, base: BaseRow, name: string): Promise<TransformationRow> {
  const all = await transformationsOf(tx, base.id);
  const found = all.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (!found)
    throw new AppError("not_found", `Transformation not found: ${name}. There are: ${all.map(({ name }) => name).join(", ") || "none"}`);
  return found;
}

async function subjectOf(tx: Db, base: BaseRow, { source, slug }: { source?: string | undefined; slug?: string | undefined }) {
  if (slug) return { sourceId: null, pageId: (await pageBySlug(tx, base.id, slug)).id };
  return { sourceId: (await findNamedSource(tx, base.id, source ?? "")).id, pageId: null };
}
