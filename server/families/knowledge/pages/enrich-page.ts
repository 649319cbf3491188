import "server-only";
import { and, eq, ne } from "drizzle-orm";
import { knowledgePages } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { lockBase } from "../bases/base-rows";
import { findLinks } from "./page-links";
import { replacePage } from "./save-page";

const fewestCharacters = 4;
const maxPages = 5_000;

/** Links the titles of other pages where a page first names them. A page that people look after stays as it is. */
export async function enrichPage({ pageId }: { pageId: string }): Promise<void> {
  const [found] = await db().select().from(knowledgePages).where(eq(knowledgePages.id, pageId));
  if (!found || found.curated || found.isSystem) return;
  await db().transaction(async (tx) => {
    const base = await lockBase(tx, found.baseId);
    const [page] = await tx.select().from(knowledgePages).where(eq(knowledgePages.id, pageId)).for("update");
    if (!page) return;
    const others = await tx
      .select({ slug: knowledgePages.slug, title: knowledgePages.title })
      .from(knowledgePages)
      .where(
        and(
          eq(knowledgePages.baseId, base.id),
          ne(knowledgePages.id, pageId),
          eq(knowledgePages.isSystem, false),
          eq(knowledgePages.archived, false),
        ),
      )
      .limit(maxPages);
    const content = withLinks(page.content, others);
    if (content !== page.content) await replacePage(tx, base, page, { content }, { actor: systemActor });
  });
}

/** Prose of a page: what is no code, link, heading, citation or address. */
const keptPattern = /```[\s\S]*?(?:```|$)|`[^`\n]*`|\[\[[^\]]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)|^\s*\[\d+\]:.*$|^#{1,6}\s.*$|https?:\/\/\S+/gm;

/** Links each title once, the longest first, outside of code, headings and links. */
export function withLinks(content: string, others: readonly { slug: string; title: string }[]): string {
  const linked = new Set(findLinks(content).map(({ slug }) => slug));
  let result = content;
  const wanted = others
    .filter(({ slug, title }) => title.length >= fewestCharacters && !linked.has(slug))
    .sort((a, b) => b.title.length - a.title.length);
  for (const { slug, title } of wanted) {
    const at = placeOf(result, title);
    if (at < 0) continue;
    const words = result.slice(at, at + title.length);
    const link = words.toLowerCase() === slug ? `[[${words}]]` : `[[${slug}|${words}]]`;
    result = result.slice(0, at) + link + result.slice(at + title.length);
  }
  return result;
}

/** Returns the first place of a title as whole words in the prose; -1 for none. */
function placeOf(content: string, title: string): number {
  const prose = content.replace(keptPattern, (kept) => kept.replace(/[^\n]/g, "\0")).toLowerCase();
  // A text whose length changes in lower case would have other places.
  if (prose.length !== content.length) return -1;
  const wanted = title.toLowerCase();
  for (let at = prose.indexOf(wanted); at >= 0; at = prose.indexOf(wanted, at + 1)) {
    const isInside = /[\p{L}\p{N}]/u.test(prose[at - 1] ?? "") || /[\p{L}\p{N}]/u.test(prose[at + wanted.length] ?? "");
    if (!isInside) return at;
  }
  return -1;
}
