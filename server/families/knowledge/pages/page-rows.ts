import "server-only";
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgeCitations, knowledgeLinks, knowledgePages, knowledgePageVersions, knowledgeSources } from "@/db/schema";
import { countRows, toStoredWords } from "@/server/retrieval/stored-words";
import { findCitations, findLinks } from "./page-links";

export type PageRow = typeof knowledgePages.$inferSelect;

export const pageColumns = {
  table: knowledgePages,
  id: knowledgePages.id,
  words: knowledgePages.words,
  wordCount: knowledgePages.wordCount,
};
/** The set in which the words of a base's pages are counted. */
export const pageSet = (baseId: string): string => `knowledge-pages:${baseId}`;

/** Words of a page for its columns; those of its title and slugs weigh more. */
export const wordsOf = ({ title, slug, aliases, summary, content }: Pick<PageRow, "title" | "slug" | "aliases" | "summary" | "content">) =>
  toStoredWords(`${summary}\n${content}`, [title, slug, ...aliases].join("\n"));

/** Counts a page into the statistics of its base, or out of them before it is changed or removed. */
export const countPage = (tx: Db, { id, workspaceId, baseId }: PageRow, sign: 1 | -1): Promise<void> =>
  countRows(tx, { workspaceId, set: pageSet(baseId) }, pageColumns, sql`${knowledgePages.id} = ${id}`, sign);

/** Keeps the content of a page as a version, and its links and citations as rows: all that belongs to one save. */
export async function keepContent(tx: Db, page: PageRow): Promise<void> {
  const { id: pageId, version, title, content, lastUpdatedBy: author } = page;
  await tx.insert(knowledgePageVersions).values({ pageId, version, title, content, author });
  await writeLinks(tx, page);
  await writeCitations(tx, page);
}

/** Replaces the links of a page; a slug without a page is a broken link. */
async function writeLinks(tx: Db, { id: fromPageId, baseId, content }: PageRow): Promise<void> {
  const slugs = [...new Set(findLinks(content).map(({ slug }) => slug))];
  await tx.delete(knowledgeLinks).where(eq(knowledgeLinks.fromPageId, fromPageId));
  if (slugs.length === 0) return;
  const targets = await findBySlugs(tx, baseId, slugs);
  await tx.insert(knowledgeLinks).values(slugs.map((slug) => ({ baseId, fromPageId, slug, toPageId: targets.get(slug)?.id ?? null })));
}

/** Finds pages of a base by slugs, also by those that they had. */
export async function findBySlugs(tx: Db, baseId: string, slugs: readonly string[]): Promise<Map<string, PageRow>> {
  if (slugs.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(knowledgePages)
    .where(
      and(
        eq(knowledgePages.baseId, baseId),
        or(inArray(knowledgePages.slug, [...slugs]), sql`${knowledgePages.aliases} ?| ${sql.param(slugs)}::text[]`),
      ),
    );
  const byAlias = rows.flatMap((row) => row.aliases.map((alias): [string, PageRow] => [alias, row]));
  return new Map([...byAlias, ...rows.map((row): [string, PageRow] => [row.slug, row])]);
}

/** Leads all links by a slug to the page that has it now; no other page keeps it as a former slug. */
export async function takeSlug(tx: Db, { id, baseId, slug }: PageRow): Promise<void> {
  await tx
    .update(knowledgePages)
    .set({ aliases: sql`${knowledgePages.aliases} - ${slug}::text` })
    .where(and(eq(knowledgePages.baseId, baseId), sql`${knowledgePages.aliases} ? ${slug}`));
  await tx
    .update(knowledgeLinks)
    .set({ toPageId: id })
    .where(and(eq(knowledgeLinks.baseId, baseId), eq(knowledgeLinks.slug, slug)));
}

async function writeCitations(tx: Db, { id: pageId, baseId, content }: PageRow): Promise<void> {
  const written = findCitations(content);
  await tx.delete(knowledgeCitations).where(eq(knowledgeCitations.pageId, pageId));
  if (written.length === 0) return;
  const sources = await tx
    .select({ id: knowledgeSources.id, name: knowledgeSources.name })
    .from(knowledgeSources)
    .where(eq(knowledgeSources.baseId, baseId));
  const ids = new Set(sources.map(({ id }) => id));
  const byName = new Map(sources.flatMap(({ id, name }): [string, string][] => [[name.toLowerCase(), id]]));
  const byLastName = new Map(sources.map(({ id, name }) => [name.toLowerCase().split("/").at(-1) ?? "", id]));
  const idOf = (name: string) => byName.get(name.toLowerCase()) ?? byLastName.get(name.toLowerCase()) ?? null;
  await tx.insert(knowledgeCitations).values(
    written.map(({ number, name, sourceId, part }) => ({
      ...{ pageId, number, name, part },
      sourceId: sourceId && ids.has(sourceId) ? sourceId : idOf(name),
    })),
  );
}

/** Leads citations that name a source by its name to that source, once it is there. */
export async function findCited(tx: Db, baseId: string, source: { id: string; name: string }): Promise<void> {
  const pages = tx.select({ id: knowledgePages.id }).from(knowledgePages).where(eq(knowledgePages.baseId, baseId));
  await tx
    .update(knowledgeCitations)
    .set({ sourceId: source.id })
    .where(
      and(
        inArray(knowledgeCitations.pageId, pages),
        isNull(knowledgeCitations.sourceId),
        sql`lower(${knowledgeCitations.name}) = lower(${source.name})`,
      ),
    );
}

/** Marks the pages that cite a source as stale. */
export async function markCiting(tx: Db, sourceId: string, staleReason: string): Promise<void> {
  const citing = tx.select({ id: knowledgeCitations.pageId }).from(knowledgeCitations).where(eq(knowledgeCitations.sourceId, sourceId));
  await tx.update(knowledgePages).set({ staleReason }).where(inArray(knowledgePages.id, citing));
}

/** Marks the experiences that link to a fact as stale. */
export async function markDependent(tx: Db, fact: PageRow): Promise<void> {
  if (fact.layer !== "fact") return;
  const linking = tx.select({ id: knowledgeLinks.fromPageId }).from(knowledgeLinks).where(eq(knowledgeLinks.toPageId, fact.id));
  await tx
    .update(knowledgePages)
    .set({ staleReason: `The fact [[${fact.slug}]] changed to version ${fact.version}.` })
    .where(and(inArray(knowledgePages.id, linking), eq(knowledgePages.layer, "experience")));
}
