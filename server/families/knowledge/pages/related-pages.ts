import "server-only";
import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeCitations, knowledgeLinks, knowledgePages, knowledgeSources } from "@/db/schema";
import { isListed } from "./manage-pages";
import type { PageRow } from "./page-rows";

/** The connections of two pages. */
export type Signals = { links: boolean; backlinks: boolean; sharedLinks: string[]; sharedSources: string[] };
export type Related = { page: Pick<PageRow, "id" | "slug" | "title">; score: number; signals: string[] };

const weights = { link: 3, sharedLink: 1, sharedSource: 2 };

type Edges = { from: string; to: string }[];

async function edgesAround(tx: Db, ids: readonly string[]): Promise<Edges> {
  if (ids.length === 0) return [];
  const touching = or(inArray(knowledgeLinks.fromPageId, [...ids]), inArray(knowledgeLinks.toPageId, [...ids]));
  const rows = await tx
    .select({ from: knowledgeLinks.fromPageId, to: knowledgeLinks.toPageId })
    .from(knowledgeLinks)
    .where(and(touching, isNotNull(knowledgeLinks.toPageId)))
    .limit(20_000);
  return rows.flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]));
}

const neighbours = (edges: Edges, id: string): Set<string> =>
  new Set(edges.flatMap(({ from, to }) => (from === id ? [to] : to === id ? [from] : [])));

/** Finds the pages that links and sources connect most with a page, best first. */
export async function relatedPages(tx: Db, page: PageRow, limit: number): Promise<Related[]> {
  const near = neighbours(await edgesAround(tx, [page.id]), page.id);
  const around = await edgesAround(tx, [...near]);
  const scores = new Map<string, { score: number; signals: Set<string> }>();
  const add = (id: string, weight: number, signal: string) => {
    if (id === page.id) return;
    const known = scores.get(id) ?? { score: 0, signals: new Set<string>() };
    known.score += weight;
    known.signals.add(signal);
    scores.set(id, known);
  };
  for (const id of near) add(id, weights.link, "link");
  for (const between of near) for (const id of neighbours(around, between)) add(id, weights.sharedLink, "shared link");
  for (const id of await citingTogether(tx, page.id)) add(id, weights.sharedSource, "shared source");
  const ids = [...scores.keys()];
  const { id, slug, title } = knowledgePages;
  const pages =
    ids.length === 0
      ? []
      : await tx
          .select({ id, slug, title })
          .from(knowledgePages)
          .where(and(isListed(page.baseId, {}), inArray(id, ids)));
  return pages
    .map((row) => ({ page: row, score: scores.get(row.id)?.score ?? 0, signals: [...(scores.get(row.id)?.signals ?? [])].sort() }))
    .sort((a, b) => b.score - a.score || (a.page.slug < b.page.slug ? -1 : 1))
    .slice(0, limit);
}

/** Pages that cite a source of the page; once for each shared source. */
async function citingTogether(tx: Db, pageId: string): Promise<string[]> {
  const sources = await citedBy(tx, pageId);
  if (sources.size === 0) return [];
  const rows = await tx
    .selectDistinct({ pageId: knowledgeCitations.pageId, sourceId: knowledgeCitations.sourceId })
    .from(knowledgeCitations)
    .where(inArray(knowledgeCitations.sourceId, [...sources.keys()]))
    .limit(5_000);
  return rows.map(({ pageId }) => pageId);
}

async function citedBy(tx: Db, pageId: string): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: knowledgeSources.id, name: knowledgeSources.name })
    .from(knowledgeCitations)
    .innerJoin(knowledgeSources, eq(knowledgeSources.id, knowledgeCitations.sourceId))
    .where(eq(knowledgeCitations.pageId, pageId));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Says what connects two pages. */
export async function explainRelation(tx: Db, a: PageRow, b: PageRow): Promise<Signals> {
  const edges = await edgesAround(tx, [a.id, b.id]);
  const shared = [...neighbours(edges, a.id)].filter((id) => id !== b.id && neighbours(edges, b.id).has(id));
  const { id, slug } = knowledgePages;
  const pages = shared.length === 0 ? [] : await tx.select({ slug }).from(knowledgePages).where(inArray(id, shared)).orderBy(slug);
  const [ofA, ofB] = [await citedBy(tx, a.id), await citedBy(tx, b.id)];
  return {
    links: edges.some(({ from, to }) => from === a.id && to === b.id),
    backlinks: edges.some(({ from, to }) => from === b.id && to === a.id),
    sharedLinks: pages.map(({ slug }) => slug),
    sharedSources: [...ofA]
      .filter(([id]) => ofB.has(id))
      .map(([, name]) => name)
      .sort(),
  };
}
