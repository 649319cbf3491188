import type { KnowledgePageContent } from "@/contracts/knowledge/knowledge-pages";
import { sourceAddress } from "./source-words";

/** Returns the Markdown of a page in which each citation leads to its source, and links lead to pages of this base. */
export function readableContent({
  content,
  citations,
  baseId,
  links,
}: Pick<KnowledgePageContent, "content" | "citations" | "baseId" | "links">): string {
  const broken = new Set(links.filter(({ page }) => page === null).map(({ slug }) => slug));
  const text = content
    .replace(/^ {0,3}\[\d{1,3}\]:.*$/gm, "")
    .replace(/\[\[([^[\]|\n]+)(\|[^[\]\n]+)?\]\]/g, (whole, slug: string, words = "") =>
      broken.has(slug.trim().toLowerCase())
        ? `${words.slice(1) || slug} (no such page)`
        : whole.replace(`[[${slug}`, `[[${baseId}/${slug}`),
    );
  const definitions = citations.flatMap(({ number, sourceId, part }) =>
    sourceId ? [`[${number}]: ${sourceAddress(sourceId, part)}`] : [],
  );
  return [text.trim(), definitions.join("\n")].filter(Boolean).join("\n\n");
}
