import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { knowledgePages } from "@/db/schema";
import type { BaseRow } from "../bases/base-rows";
import { findBySlugs, type PageRow } from "./page-rows";
import { type By, insertPage, type PageDraft, replacePage } from "./save-page";

/**
 * Adds a page, or replaces the one of this slug. A page that people look after stays as it is.
 * @returns null for a page that stays
 */
export async function pageOfAgent(
  tx: Db,
  base: BaseRow,
  draft: PageDraft & { slug: string },
  by: By,
): Promise<{ page: PageRow; created: boolean } | null> {
  const found = (await findBySlugs(tx, base.id, [draft.slug])).get(draft.slug);
  if (!found) return { page: await insertPage(tx, base, draft, by), created: true };
  const [before] = await tx.select().from(knowledgePages).where(eq(knowledgePages.id, found.id)).for("update");
  if (!before || before.curated || before.isSystem) return null;
  const { slug: _, ...settings } = draft;
  return { page: await replacePage(tx, base, before, settings, by), created: false };
}
