import "server-only";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { KnowledgeHit } from "@/contracts/knowledge/knowledge";
import type { Db } from "@/db/client";
import { knowledgeChunks, knowledgePages, knowledgeSources } from "@/db/schema";
import { leastNear } from "@/server/retrieval/embeddings";
import { findMatches, snippetOf } from "@/server/retrieval/find-matches";
import { fuseRankings } from "@/server/retrieval/fuse-rankings";
import { rankNames } from "@/server/retrieval/rank-names";
import { rankRows } from "@/server/retrieval/rank-rows";
import { tokenize } from "@/server/retrieval/tokenize";
import type { BaseRow } from "../bases/base-rows";
import { embedRequest, type Meaning, rankChunks, rankPages } from "../embeddings/embed-request";
import { type PageRow, pageColumns, pageSet } from "../pages/page-rows";
import { chunkColumns, chunkSet, readChunks } from "../sources/chunk-rows";

type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];

type By = "words" | "name" | "meaning";
/** `similarity` is the cosine to the request; null for a hit that the meaning did not find. */
type Why = { snippet: string; matched: string[]; matchedBy: By[]; score: number; similarity: number | null };
/** A passage that fits a request; `matched` are the words of the request that it has. */
export type ChunkHit = Why & { chunk: ChunkRow; sourceName: string };
export type PageHit = Why & { page: PageRow };
/** Ranking by words, by meaning or by both. */
export type SearchMode = "keyword" | "semantic" | "hybrid";

/** Rows of each ranking that are joined. */
const joinedRows = 40;

const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;
const namedMost = 20;
/** Characters of a request that may be a misspelt name, and the most names that it is compared with. */
const [minSpeltChars, maxSpeltChars, maxSpeltTitles] = [4, 60, 5_000];

type ChunkSearch = { request: string; limit: number; meaning: Meaning; characters?: number; sourceId?: string };

/** Ranks the passages of a base by words and, with a vector of the request, by meaning, best first. */
export async function searchChunks(
  tx: Db,
  base: BaseRow,
  { request, limit, meaning, characters = 400, sourceId }: ChunkSearch,
): Promise<ChunkHit[]> {
  const { id: baseId, workspaceId } = base;
  const where = sql`${and(eq(knowledgeChunks.baseId, baseId), sourceId === undefined ? undefined : eq(knowledgeChunks.sourceId, sourceId))}`;
  const wanted = meaning.vector ? Math.max(limit, joinedRows) : limit;
  const byWords = await rankRows(tx, { ...chunkColumns, workspaceId, sets: [chunkSet(baseId)], where, request, limit: wanted });
  const byMeaning = await rankChunks(tx, base, meaning, wanted, sourceId);
  const ranked = joined([
    ["words", byWords],
    ["meaning", byMeaning.map(({ id, similarity }) => ({ id, score: similarity }))],
  ]).slice(0, limit);
  const rows = await readChunks(
    tx,
    ranked.map(({ id }) => id),
  );
  const chunks = new Map(rows.map((chunk) => [chunk.id, chunk]));
  const names = await sourceNames(tx, [...new Set(rows.map((row) => row.sourceId))]);
  const terms = new Set(tokenize(request));
  return ranked.flatMap(({ id, ...why }) => {
    const chunk = chunks.get(id);
    if (!chunk) return [];
    return [{ chunk, sourceName: names.get(chunk.sourceId) ?? "", ...explained(chunk.text, terms, characters), ...why }];
  });
}

async function sourceNames(tx: Db, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { id, name } = knowledgeSources;
  return new Map((await tx.select({ id, name }).from(knowledgeSources).where(inArray(id, ids))).map((row) => [row.id, row.name]));
}

/** Joins rankings of rows. One ranking keeps its own scores; several have those of their joined ranks. */
function joined(rankings: readonly (readonly [By, readonly { id: string; score: number }[]])[]) {
  const filled = rankings.filter(([, rows]) => rows.length > 0);
  const scores = new Map(filled.length === 1 ? filled[0]?.[1].map(({ id, score }) => [id, score]) : []);
  return fuseRankings(filled.map(([, rows]) => ({ names: rows.map(({ id }) => id) }))).map(({ name: id, score }) => ({
    id,
    matchedBy: filled.flatMap(([by, rows]) => (rows.some((row) => row.id === id) ? [by] : [])),
    similarity: rankings.find(([by]) => by === "meaning")?.[1].find((row) => row.id === id)?.score ?? null,
    score: rounded(scores.get(id) ?? score),
  }));
}

type PageSearch = { request: string; limit: number; meaning: Meaning; mode?: SearchMode; layer?: PageRow["layer"] | undefined };

/** Ranks the pages of a base by words, names and meaning, best first. Archived pages and the base's own are left out. */
export async function searchPages(
  tx: Db,
  base: BaseRow,
  { request, limit, meaning, mode = "hybrid", layer }: PageSearch,
): Promise<PageHit[]> {
  const { id: baseId, workspaceId } = base;
  const isShown = sql`${and(
    eq(knowledgePages.baseId, baseId),
    eq(knowledgePages.isSystem, false),
    eq(knowledgePages.archived, false),
    layer && eq(knowledgePages.layer, layer),
  )}`;
  const most = Math.max(limit * 2, joinedRows);
  const byMeaning = mode === "keyword" ? [] : await rankPages(tx, base, meaning, most, isShown);
  // Without vectors, words are what is left to compare.
  const usesWords = mode !== "semantic" || byMeaning.length === 0;
  const search = { ...pageColumns, workspaceId, sets: [pageSet(baseId)], where: isShown, request, limit: most };
  const byWords = usesWords ? await rankRows(tx, search) : [];
  const byName = usesWords ? await findNamed(tx, request, isShown) : [];
  const scores = new Map(byWords.map(({ id, score }) => [id, score]));
  const ranked = joined([
    ["words", byWords],
    ["name", byName],
    ["meaning", byMeaning.map(({ id, similarity }) => ({ id, score: similarity }))],
  ]).slice(0, limit);
  const ids = ranked.map(({ id }) => id);
  const pages = new Map(
    (ids.length === 0 ? [] : await tx.select().from(knowledgePages).where(inArray(knowledgePages.id, ids))).map((row) => [row.id, row]),
  );
  const terms = new Set(tokenize(request));
  return ranked.flatMap(({ id, ...why }): PageHit[] => {
    const page = pages.get(id);
    if (!page) return [];
    const score = byMeaning.length > 0 ? why.score : rounded(scores.get(id) ?? 0);
    return [{ page, ...explainedPage(page, terms), ...why, score }];
  });
}

/** Finds pages whose names hold the request; when none does, those whose names are spelt like it. */
async function findNamed(tx: Db, request: string, isShown: SQL): Promise<{ id: string; score: number }[]> {
  const name = request.trim().toLowerCase();
  const { id, title, slug } = knowledgePages;
  const held = await tx
    .select({ id })
    .from(knowledgePages)
    .where(sql`${isShown} and strpos(lower(${title}) || ' ' || ${slug}, ${name}) > 0`)
    .orderBy(sql`length(${title})`, id)
    .limit(namedMost);
  if (held.length > 0 || name.length < minSpeltChars || name.length > maxSpeltChars) return held.map((row) => ({ ...row, score: 0 }));
  const titles = await tx.select({ id, title }).from(knowledgePages).where(isShown).limit(maxSpeltTitles);
  return rankNames(name, titles).slice(0, namedMost);
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

/** Pages and passages together, for people, with what the search lacks. */
export async function searchBase(
  tx: Db,
  base: BaseRow,
  request: string,
  among: "all" | "pages" | "sources",
  limit: number,
): Promise<{ items: KnowledgeHit[]; note: string | null }> {
  const meaning = await embedRequest(base, request);
  const pages = among === "sources" ? [] : await searchPages(tx, base, { request, limit, meaning });
  const chunks = among === "pages" ? [] : await searchChunks(tx, base, { request, limit, meaning, characters: 300 });
  const hits = new Map<string, KnowledgeHit>();
  const nearness = new Map<string, number>();
  for (const { page, similarity, ...hit } of pages) {
    if (similarity !== null) nearness.set(page.id, similarity);
    const { id, slug, title } = page;
    hits.set(id, { kind: "page", id, slug, title, headings: [], part: null, page: null, ...hit });
  }
  for (const { chunk, sourceName, similarity, ...hit } of chunks) {
    if (similarity !== null) nearness.set(chunk.id, similarity);
    const { sourceId, headings, part, page } = chunk;
    hits.set(chunk.id, { kind: "source", id: sourceId, slug: null, title: sourceName, headings, part, page, ...hit });
  }
  // Scores of words differ between pages and passages; cosines do not.
  const byNearness = [...nearness].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const fused = fuseRankings([
    { names: byNearness },
    { names: pages.map(({ page }) => page.id) },
    { names: chunks.map(({ chunk }) => chunk.id) },
  ]);
  const nearest = nearness.get(byNearness[0] ?? "") ?? 0;
  const isNear = ({ matchedBy }: KnowledgeHit, name: string) =>
    matchedBy.some((by) => by !== "meaning") || (nearness.get(name) ?? 0) >= nearest * leastNear;
  const items = fused.flatMap(({ name }) => {
    const hit = hits.get(name);
    return hit && isNear(hit, name) ? [hit] : [];
  });
  return { items: items.slice(0, limit), note: meaning.note };
}
