import "server-only";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { KnowledgeGraph } from "@/contracts/knowledge/knowledge";
import type {
  KnowledgePage,
  KnowledgePageContent,
  KnowledgePageDraft,
  KnowledgePagePatch,
  KnowledgePageVersion,
} from "@/contracts/knowledge/knowledge-pages";
import type { Db } from "@/db/client";
import { knowledgeCitations, knowledgeLinks, knowledgePages, knowledgePageVersions, knowledgeSources } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type BaseRow, findBase, lockBase } from "../bases/base-rows";
import { findBySlugs, type PageRow } from "./page-rows";
import { type By, insertPage, removePage, renamePage, replacePage, setArchived } from "./save-page";
import { ensureSystemPages } from "./system-pages";

type Reader = Authorized<"knowledge:read">;
type Writer = Authorized<"knowledge:write">;
const TitleCursor = z.tuple([z.string(), z.uuid()]);
const maxNodes = 5_000;
const maxEdges = 50_000;

export const missingPage = () =>
  new AppError("not_found", "This page does not exist. It may have been removed; list the pages of its base.");
const byOf = (actor: Actor): By => ({ actor: toActorRef(actor), requestId: actor.requestId });

async function presentPages(rows: readonly PageRow[], tx: Db): Promise<KnowledgePage[]> {
  const ids = rows.map(({ id }) => id);
  const broken =
    ids.length === 0
      ? []
      : await tx
          .select({ id: knowledgeLinks.fromPageId, count: sql<number>`count(*)::int` })
          .from(knowledgeLinks)
          .where(and(inArray(knowledgeLinks.fromPageId, ids), isNull(knowledgeLinks.toPageId)))
          .groupBy(knowledgeLinks.fromPageId);
  const counts = new Map(broken.map(({ id, count }) => [id, count]));
  return rows.map(({ workspaceId: _, words: _words, wordCount: _count, content: _content, createdAt, updatedAt, ...row }) => ({
    ...row,
    brokenLinks: counts.get(row.id) ?? 0,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

const linkedColumns = { id: knowledgePages.id, slug: knowledgePages.slug, title: knowledgePages.title };

/** Returns a page with its content, links, backlinks and citations. */
export async function presentContent(row: PageRow, tx: Db): Promise<KnowledgePageContent> {
  const [page] = await presentPages([row], tx);
  if (!page) throw missingPage();
  const links = await tx
    .select({ linked: knowledgeLinks.slug, ...linkedColumns })
    .from(knowledgeLinks)
    .leftJoin(knowledgePages, eq(knowledgePages.id, knowledgeLinks.toPageId))
    .where(eq(knowledgeLinks.fromPageId, row.id))
    .orderBy(asc(knowledgeLinks.slug));
  const backlinks = await tx
    .select(linkedColumns)
    .from(knowledgeLinks)
    .innerJoin(knowledgePages, eq(knowledgePages.id, knowledgeLinks.fromPageId))
    .where(and(eq(knowledgeLinks.toPageId, row.id), eq(knowledgePages.archived, false)))
    .orderBy(asc(knowledgePages.title), asc(knowledgePages.id))
    .limit(500);
  return {
    ...page,
    content: row.content,
    links: links.map(({ linked, id, slug, title }) => ({
      slug: linked,
      page: id !== null && slug !== null && title !== null ? { id, slug, title } : null,
    })),
    backlinks,
    citations: await readCitations(tx, row.id),
  };
}

/** Citations of a page by number. */
export async function readCitations(tx: Db, pageId: string) {
  const rows = await tx
    .select({ citation: knowledgeCitations, source: knowledgeSources.name, pageCount: knowledgeSources.pageCount })
    .from(knowledgeCitations)
    .leftJoin(knowledgeSources, eq(knowledgeSources.id, knowledgeCitations.sourceId))
    .where(eq(knowledgeCitations.pageId, pageId))
    .orderBy(asc(knowledgeCitations.number));
  return rows.map(({ citation: { number, name, sourceId, part }, source, pageCount }) => ({
    ...{ number, sourceId, part },
    name: source ?? name,
    page: pageCount === null ? null : part,
  }));
}

export type PageFilter = {
  slug?: string | undefined;
  archived?: boolean | undefined;
  stale?: boolean | undefined;
  broken?: boolean | undefined;
};

export async function listPages(
  actor: Reader,
  baseId: string,
  { limit = 50, cursor, ...filter }: PageFilter & { limit?: number; cursor?: string | undefined },
) {
  const base = await findBase(actor, baseId);
  const [title, id] = cursor === undefined ? [] : decodeCursor(cursor, TitleCursor);
  const isAfter =
    title === undefined
      ? undefined
      : or(gt(knowledgePages.title, title), and(eq(knowledgePages.title, title), gt(knowledgePages.id, id ?? "")));
  if (filter.slug === "overview" || filter.slug === "log") await db().transaction((tx) => ensureSystemPages(tx, base));
  const found = await db()
    .select()
    .from(knowledgePages)
    .where(and(isListed(base.id, filter), isAfter))
    .orderBy(asc(knowledgePages.title), asc(knowledgePages.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ title, id }) => [title, id]);
  return { items: await presentPages(rows, db()), nextCursor };
}

/** Condition for the pages of a list. */
export function isListed(baseId: string, { slug, archived = false, stale, broken }: PageFilter) {
  const ofBase = eq(knowledgePages.baseId, baseId);
  if (slug !== undefined) {
    const wanted = slug.trim().toLowerCase();
    return and(ofBase, or(eq(knowledgePages.slug, wanted), sql`${knowledgePages.aliases} ? ${wanted}`));
  }
  const isBroken = sql`exists (select from ${knowledgeLinks} where ${knowledgeLinks.fromPageId} = ${knowledgePages.id} and ${knowledgeLinks.toPageId} is null)`;
  return and(
    ofBase,
    eq(knowledgePages.isSystem, false),
    eq(knowledgePages.archived, archived),
    stale ? isNotNull(knowledgePages.staleReason) : undefined,
    broken ? isBroken : undefined,
  );
}

/** @throws AppError `not_found`, also for a page of another workspace or agent */
async function findPage(actor: Actor, id: string): Promise<PageRow> {
  const [row] = await db()
    .select()
    .from(knowledgePages)
    .where(and(eq(knowledgePages.workspaceId, actor.workspaceId), eq(knowledgePages.id, id)));
  if (!row) throw missingPage();
  if (actor.agentId !== null) await findBase(actor, row.baseId).catch(() => Promise.reject(missingPage()));
  return row;
}

export const getPage = async (actor: Reader, id: string): Promise<KnowledgePageContent> => presentContent(await findPage(actor, id), db());

export async function createPage(actor: Writer, baseId: string, draft: KnowledgePageDraft): Promise<KnowledgePageContent> {
  await findBase(actor, baseId);
  return db().transaction(async (tx) => presentContent(await insertPage(tx, await lockBase(tx, baseId), draft, byOf(actor)), tx));
}

/** Changes a page under the locks of its base and itself. @throws AppError `not_found`, `stale_version` */
async function changePage(
  actor: Writer,
  id: string,
  version: number | null,
  work: (tx: Db, base: BaseRow, page: PageRow) => Promise<PageRow>,
): Promise<KnowledgePageContent> {
  const { baseId } = await findPage(actor, id);
  return db().transaction(async (tx) => {
    const base = await lockBase(tx, baseId);
    return presentContent(await work(tx, base, await lockPage(tx, id, version)), tx);
  });
}

async function lockPage(tx: Db, id: string, version: number | null): Promise<PageRow> {
  const [page] = await tx.select().from(knowledgePages).where(eq(knowledgePages.id, id)).for("update");
  if (!page) throw missingPage();
  if (version !== null && version !== page.version) {
    throw new AppError(
      "stale_version",
      `The page "${page.title}" was changed by somebody else meanwhile. Reload it, then repeat your change.`,
    );
  }
  return page;
}

export const updatePage = (actor: Writer, id: string, patch: KnowledgePagePatch, version: number | null) =>
  changePage(actor, id, version, (tx, base, page) => replacePage(tx, base, page, patch, byOf(actor)));

export const renamePageOf = (actor: Writer, id: string, slug: string, version: number | null) =>
  changePage(actor, id, version, (tx, base, page) => renamePage(tx, base, page, slug, byOf(actor)));

export const archivePage = (actor: Writer, id: string, archived: boolean) =>
  changePage(actor, id, null, async (tx, base, page) => {
    await setArchived(tx, base, page, archived, byOf(actor));
    return { ...page, archived };
  });

export async function removePageOf(actor: Writer, id: string, version: number | null): Promise<void> {
  const { baseId } = await findPage(actor, id);
  await db().transaction(async (tx) => removePage(tx, await lockBase(tx, baseId), await lockPage(tx, id, version), byOf(actor)));
}

export async function listPageVersions(actor: Reader, id: string): Promise<{ items: KnowledgePageVersion[] }> {
  await findPage(actor, id);
  const rows = await db()
    .select()
    .from(knowledgePageVersions)
    .where(eq(knowledgePageVersions.pageId, id))
    .orderBy(desc(knowledgePageVersions.version))
    .limit(100);
  return {
    items: rows.map(({ version, title, content, author, createdAt }) => ({
      version,
      title,
      content,
      author,
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** Makes an earlier content the newest version. @throws AppError `not_found`, `stale_version` */
export const restorePageVersion = (actor: Writer, id: string, earlier: number, version: number | null) =>
  changePage(actor, id, version, async (tx, base, page) => {
    const [kept] = await tx
      .select()
      .from(knowledgePageVersions)
      .where(and(eq(knowledgePageVersions.pageId, id), eq(knowledgePageVersions.version, earlier)));
    if (!kept) throw new AppError("not_found", `This page has no version ${earlier}.`);
    return replacePage(tx, base, page, { title: kept.title, content: kept.content }, byOf(actor));
  });

/** Returns the pages of a base and their links; of a very large base the most linked pages. */
export async function readGraph(actor: Reader, baseId: string): Promise<KnowledgeGraph> {
  await findBase(actor, baseId);
  const links = sql<number>`(select count(*)::int from ${knowledgeLinks} where ${knowledgeLinks.toPageId} = ${knowledgePages.id})`;
  const { id, slug, title, type, staleReason } = knowledgePages;
  const pages = await db()
    .select({ id, slug, title, type, staleReason })
    .from(knowledgePages)
    .where(isListed(baseId, {}))
    .orderBy(desc(links), asc(id))
    .limit(maxNodes + 1);
  const rows = await db()
    .select({ from: knowledgeLinks.fromPageId, to: knowledgeLinks.toPageId })
    .from(knowledgeLinks)
    .where(and(eq(knowledgeLinks.baseId, baseId), isNotNull(knowledgeLinks.toPageId)))
    .limit(maxEdges);
  const linking = Map.groupBy(rows, ({ to }) => to);
  const nodes = pages
    .slice(0, maxNodes)
    .map(({ staleReason, ...node }) => ({ ...node, links: linking.get(node.id)?.length ?? 0, isStale: staleReason !== null }));
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const edges = rows.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from), to === null ? undefined : places.get(to)];
    return start === undefined || end === undefined || start === end ? [] : [{ from: start, to: end }];
  });
  return { nodes, edges, isCut: pages.length > maxNodes };
}

/** Finds the page that a link of a text means: `slug`, or `<base>/slug`; null when no base that the actor sees has it. */
export async function findLinkedPage(actor: Reader, link: string): Promise<{ id: string; baseId: string } | null> {
  const [, baseId, slug = ""] = /^(?:([0-9a-f-]{36})\/)?(.{1,200})$/is.exec(link) ?? [];
  const wanted = slug.trim().toLowerCase();
  const isNamed = or(eq(knowledgePages.slug, wanted), sql`${knowledgePages.aliases} ? ${wanted}`);
  const rows = await db()
    .select({ id: knowledgePages.id, baseId: knowledgePages.baseId })
    .from(knowledgePages)
    .where(and(eq(knowledgePages.workspaceId, actor.workspaceId), isNamed))
    .orderBy(asc(knowledgePages.id))
    .limit(50);
  for (const row of rows) {
    if (baseId !== undefined && row.baseId !== baseId) continue;
    const isThere = await findBase(actor, row.baseId).then(
      () => true,
      () => false,
    );
    if (isThere) return row;
  }
  return null;
}

/** Finds a page by its slug or a former one. @throws AppError `not_found` */
export async function pageBySlug(tx: Db, baseId: string, slug: string): Promise<PageRow> {
  const wanted = slug.trim().toLowerCase();
  const page = (await findBySlugs(tx, baseId, [wanted])).get(wanted);
  if (!page) throw new AppError("not_found", `Page not found: ${slug.slice(0, 200)}`);
  return page;
}
