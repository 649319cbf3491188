import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { KnowledgeHit } from "@/contracts/knowledge";
import type { Db } from "@/db/client";
import { knowledgeChunks, knowledgePages, knowledgeSources } from "@/db/schema";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { fuseRankings } from "@/server/retrieval/fuse-rankings";
import { rankRows } from "@/server/retrieval/rank-rows";
import { tokenize } from "@/server/retrieval/tokenize";
import type { BaseRow } from "../bases/base-rows";
import { type PageRow, pageColumns, pageSet } from "../pages/page-rows";
import { chunkColumns, chunkSet, readChunks } from "../sources/chunk-rows";

type Place = Pick<BaseRow, "id" | "workspaceId">;
type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];

/** A passage that fits a request; `matched` are the words of the request that it has. */
export type ChunkHit = { chunk: ChunkRow; sourceName: string; snippet: string; matched: string[]; score: number };
export type PageHit = { page: PageRow; snippet: string; matched: string[]; matchedBy: ("words" | "name")[]; score: number };

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;
const namedMost = 20;

/** Ranks the passages of a base, best first. */
export async function searchChunks(
  tx: Db,
  { id: baseId, workspaceId }: Place,
  request: string,
  limit: number,
  characters = 400,
  sourceId?: string,
): Promise<ChunkHit[]> {
  const where = sql`${and(eq(knowledgeChunks.baseId, baseId), sourceId === undefined ? undefined : eq(knowledgeChunks.sourceId, sourceId))}`;
  const ranked = await rankRows(tx, { ...chunkColumns, workspaceId, sets: [chunkSet(baseId)], where, request, limit });
  const chunks = new Map(
    (
      await readChunks(
        tx,
        ranked.map(({ id }) => id),
      )
    ).map((chunk) => [chunk.id, chunk]),
  );
  const sourceIds = [...new Set([...chunks.values()].map(({ sourceId }) => sourceId))];
  const sources =
    sourceIds.length === 0
      ? []
      : await tx
          .select({ id: knowledgeSources.id, name: knowledgeSources.name })
          .from(knowledgeSources)
          .where(inArray(knowledgeSources.id, sourceIds));
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  const terms = new Set(tokenize(request));
  return ranked.flatMap(({ id, score }) => {
    const chunk = chunks.get(id);
    if (!chunk) return [];
    const { snippet, matched } = explained(chunk.text, terms, characters);
    return [{ chunk, sourceName: names.get(chunk.sourceId) ?? "", snippet, matched, score: rounded(score) }];
  });
}

/** Ranks the pages of a base by their words and by their names, best first. Archived pages and the base's own are left out. */
export async function searchPages(
  tx: Db,
  { id: baseId, workspaceId }: Place,
  request: string,
  limit: number,
  layer?: PageRow["layer"],
): Promise<PageHit[]> {
  const isShown = and(
    eq(knowledgePages.baseId, baseId),
    eq(knowledgePages.isSystem, false),
    eq(knowledgePages.archived, false),
    layer && eq(knowledgePages.layer, layer),
  );
  const where = sql`${isShown}`;
  const byWords = await rankRows(tx, { ...pageColumns, workspaceId, sets: [pageSet(baseId)], where, request, limit: limit * 2 });
  const name = request.trim().toLowerCase();
  const byName = await tx
    .select({ id: knowledgePages.id })
    .from(knowledgePages)
    .where(and(isShown, sql`strpos(lower(${knowledgePages.title}) || ' ' || ${knowledgePages.slug}, ${name}) > 0`))
    .orderBy(sql`length(${knowledgePages.title})`, knowledgePages.id)
    .limit(namedMost);
  const fused = fuseRankings([{ names: byWords.map(({ id }) => id) }, { names: byName.map(({ id }) => id) }]).slice(0, limit);
  const ids = fused.map(({ name }) => name);
  const pages = new Map(
    (ids.length === 0 ? [] : await tx.select().from(knowledgePages).where(inArray(knowledgePages.id, ids))).map((row) => [row.id, row]),
  );
  const scores = new Map(byWords.map(({ id, score }) => [id, score]));
  const named = new Set(byName.map(({ id }) => id));
  const terms = new Set(tokenize(request));
  return ids.flatMap((id): PageHit[] => {
    const page = pages.get(id);
    if (!page) return [];
    const { snippet, matched } = explainedPage(page, terms);
    const matchedBy = [...(scores.has(id) ? ["words" as const] : []), ...(named.has(id) ? ["name" as const] : [])];
    return [{ page, snippet, matched, matchedBy, score: rounded(scores.get(id) ?? 0) }];
  });
}

/** The words of a page's content say more than those of its title. */
function explainedPage({ title, content }: PageRow, terms: ReadonlySet<string>): { snippet: string; matched: string[] } {
  const inContent = explained(content, terms, 300);
  return inContent.matched.length > 0 ? inContent : explained(title, terms, 300);
}

function explained(text: string, terms: ReadonlySet<string>, characters: number): { snippet: string; matched: string[] } {
  const matches = findMatches(text, terms);
  const matched = [...new Set(matches.places.map(({ start, end }) => text.slice(start, end).toLowerCase()))].slice(0, 20);
  return { snippet: snippetOf(text, matches, characters).snippet, matched };
}

/** Pages and passages together, for people. */
export async function searchBase(
  tx: Db,
  base: Place,
  request: string,
  among: "all" | "pages" | "sources",
  limit: number,
): Promise<KnowledgeHit[]> {
  const pages = among === "sources" ? [] : await searchPages(tx, base, request, limit);
  const chunks = among === "pages" ? [] : await searchChunks(tx, base, request, limit, 300);
  const hits = new Map<string, KnowledgeHit>();
  for (const { page, ...hit } of pages) {
    const { id, slug, title } = page;
    hits.set(id, { kind: "page", id, slug, title, headings: [], part: null, page: null, ...hit });
  }
  for (const { chunk, sourceName, ...hit } of chunks) {
    const { sourceId, headings, part, page } = chunk;
    hits.set(chunk.id, { kind: "source", id: sourceId, slug: null, title: sourceName, headings, part, page, matchedBy: ["words"], ...hit });
  }
  const fused = fuseRankings([{ names: pages.map(({ page }) => page.id) }, { names: chunks.map(({ chunk }) => chunk.id) }]);
  return fused.slice(0, limit).flatMap(({ name }) => hits.get(name) ?? []);
}
