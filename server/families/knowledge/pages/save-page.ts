import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import { maxPageCharacters } from "@/contracts/knowledge/knowledge-pages";
import type { Db } from "@/db/client";
import { knowledgeEmbeddings, knowledgeLinks, knowledgePages } from "@/db/schema";
import { record } from "@/server/audit/record";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";
import type { BaseRow } from "../bases/base-rows";
import { queueEmbedding } from "../embeddings/embed-base";
import { firstWords, replaceLinks, toSlug } from "./page-links";
import { countPage, keepContent, markDependent, type PageRow, takeSlug, wordsOf } from "./page-rows";
import { writeLog } from "./system-pages";

/** The author of a change. An agent never changes a page that people look after. */
export type By = { actor: ActorRef; requestId?: string | null };
type Settings = Pick<PageRow, "title" | "content" | "summary" | "type" | "layer" | "curated">;
export type PageDraft = Partial<Settings> & Pick<Settings, "title" | "content"> & { slug?: string | undefined };

const isAgent = ({ actor }: By): boolean => actor.type === "agent";

/** @throws AppError `forbidden` for an agent and a page that it must not change */
export function requireChangeable(page: PageRow, verb: "update" | "delete" | "archive", by: By): void {
  if (page.isSystem && (isAgent(by) || verb !== "update" || page.slug === "log")) {
    throw new AppError("forbidden", `Cannot ${verb} protected page: ${page.slug}`);
  }
  if (page.curated && isAgent(by)) throw new AppError("forbidden", `Cannot ${verb} manually curated page: ${page.slug}`);
}

/** Adds a page. @throws AppError `conflict` for a taken slug, `invalid` */
export async function insertPage(tx: Db, base: BaseRow, { slug, ...draft }: PageDraft, by: By): Promise<PageRow> {
  const settings = completed(draft);
  const given = { ...settings, slug: slug ?? toSlug(settings.title), aliases: [] };
  const [row] = await tx
    .insert(knowledgePages)
    .values({ ...given, workspaceId: base.workspaceId, baseId: base.id, lastUpdatedBy: by.actor, ...wordsOf(given) })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new AppError("conflict", `There is a page ${given.slug} already. Read it and change it instead.`);
  await countPage(tx, row, 1);
  await takeSlug(tx, row);
  await keepContent(tx, row);
  await tell(tx, base, row, "created", by);
  return row;
}

/** Replaces the content of a locked page, which is fresh afterwards. @throws AppError `forbidden`, `invalid` */
export async function replacePage(tx: Db, base: BaseRow, before: PageRow, draft: Partial<Settings>, by: By): Promise<PageRow> {
  requireChangeable(before, "update", by);
  const settings = completed({ ...before, ...draft, summary: draft.summary ?? (isMade(before) ? "" : before.summary) });
  if (before.isSystem) Object.assign(settings, { type: before.type, curated: true, title: before.title });
  const row = await change(tx, before, { ...settings, staleReason: null }, by);
  await markDependent(tx, row);
  await tell(tx, base, row, "updated", by);
  return row;
}

const isMade = ({ summary, content }: PageRow): boolean => summary === firstWords(content);

function completed({ title, content, summary = "", type = "note", layer = "fact", curated = false }: PageDraft): Settings {
  if (title.trim() === "") throw new AppError("invalid", "title is required");
  if (content.length > maxPageCharacters) throw new AppError("invalid", "content: at most 200,000 characters a page. Split it.");
  if (content.includes("\0")) throw new AppError("invalid", "content: a page cannot hold the character U+0000.");
  return { title: title.trim(), content, summary: summary.trim() || firstWords(content), type, layer, curated };
}

/** Writes a new version of a page with its words, links and citations. */
async function change(tx: Db, before: PageRow, set: Partial<PageRow>, by: By): Promise<PageRow> {
  if (!before.isSystem) await countPage(tx, before, -1);
  const next = { ...before, ...set };
  const [row] = await tx
    .update(knowledgePages)
    .set({ ...set, ...(before.isSystem ? {} : wordsOf(next)), version: before.version + 1, lastUpdatedBy: by.actor })
    .where(eq(knowledgePages.id, before.id))
    .returning();
  if (!row) throw new AppError("not_found", `Page not found: ${before.slug}`);
  if (!before.isSystem) await countPage(tx, row, 1);
  await tx.delete(knowledgeEmbeddings).where(eq(knowledgeEmbeddings.pageId, row.id));
  await keepContent(tx, row);
  return row;
}

/** Gives a locked page another slug and rewrites the links of other pages. @throws AppError `conflict`, `forbidden` */
export async function renamePage(tx: Db, base: BaseRow, before: PageRow, slug: string, by: By): Promise<PageRow> {
  if (before.isSystem) throw new AppError("forbidden", `Cannot rename protected page: ${before.slug}`);
  requireChangeable(before, "update", by);
  if (slug === before.slug) return before;
  const aliases = [before.slug, ...before.aliases.filter((alias) => alias !== slug)].slice(0, 20);
  const row = await change(tx, before, { slug, aliases }, by).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `There is a page ${slug} already. Choose another slug.`, {
      errors: [{ path: "slug", message: "is taken" }],
    });
  });
  await tx
    .update(knowledgeLinks)
    .set({ toPageId: row.id })
    .where(and(eq(knowledgeLinks.baseId, base.id), eq(knowledgeLinks.slug, slug)));
  await rewriteReferrers(tx, row, by, ({ words, slug: linked }) => {
    if (linked === slug || (linked !== before.slug && !before.aliases.includes(linked))) return null;
    return `[[${slug}${words === null ? "" : `|${words}`}]]`;
  });
  await tell(tx, base, row, "renamed", by, { from: before.slug });
  return row;
}

/** Removes a locked page; links of other pages become their words. @throws AppError `forbidden` */
export async function removePage(tx: Db, base: BaseRow, page: PageRow, by: By): Promise<void> {
  requireChangeable(page, "delete", by);
  const own = [page.slug, ...page.aliases];
  await rewriteReferrers(tx, page, by, ({ slug, words }) => (own.includes(slug) ? (words ?? page.title) : null));
  await countPage(tx, page, -1);
  await tx.delete(knowledgePages).where(eq(knowledgePages.id, page.id));
  await tell(tx, base, page, "removed", by);
}

/** Takes a locked page out of lists and searches, or brings it back. @returns whether that changed something */
export async function setArchived(tx: Db, base: BaseRow, page: PageRow, archived: boolean, by: By): Promise<boolean> {
  requireChangeable(page, "archive", by);
  if (page.archived === archived) return false;
  await tx
    .update(knowledgePages)
    .set({ archived, version: sql`${knowledgePages.version}` })
    .where(eq(knowledgePages.id, page.id));
  await tell(tx, base, page, archived ? "archived" : "restored", by);
  return true;
}

async function rewriteReferrers(tx: Db, page: PageRow, by: By, replacement: Parameters<typeof replaceLinks>[1]): Promise<void> {
  const linking = tx.select({ id: knowledgeLinks.fromPageId }).from(knowledgeLinks).where(eq(knowledgeLinks.toPageId, page.id));
  const referrers = await tx
    .select()
    .from(knowledgePages)
    .where(inArray(knowledgePages.id, linking))
    .orderBy(knowledgePages.id)
    .for("update");
  for (const referrer of referrers) {
    const content = replaceLinks(referrer.content, replacement);
    if (referrer.id !== page.id && content !== referrer.content) await change(tx, referrer, { content }, by);
  }
}

type Verb = "created" | "updated" | "renamed" | "archived" | "restored" | "removed";

/** Tells the audit and the log of the base what happened to a page. */
async function tell(tx: Db, base: BaseRow, page: PageRow, verb: Verb, { actor, requestId = null }: By, more = {}): Promise<void> {
  const { id: subject, slug, title, type, version, content } = page;
  await record(tx, {
    workspaceId: base.workspaceId,
    event: `knowledge_page.${verb}`,
    ...{ actor, requestId, subject },
    data: { base: base.name, slug, title, type, version, characters: content.length, ...more },
  });
  await queueEmbedding(tx, base);
  await writeLog(tx, base, `Page ${verb === "removed" ? slug : `[[${slug}]]`} ${verb}`, actor);
}
