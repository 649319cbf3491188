import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { fenced, missingOr, needed, ofBase, ownAgent, readsPages, requireOwn, slug } from "./wiki-arguments";

const pagesMost = 10;
const usualCharacters = 8_000;
const fromPages = "pages of a knowledge base";

/** Returns the section below a heading, with the sections inside it; null when there is no such heading. */
export function sectionOf(content: string, heading: string): string | null {
  const lines = content.split("\n");
  const wanted = heading
    .replace(/^#+\s*/, "")
    .trim()
    .toLowerCase();
  const levelOf = (line: string) => /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
  const start = lines.findIndex(
    (line) =>
      levelOf(line) > 0 &&
      line
        .replace(/^#+\s*/, "")
        .trim()
        .toLowerCase() === wanted,
  );
  if (start < 0) return null;
  const level = levelOf(lines[start] ?? "");
  const next = lines.findIndex((line, at) => at > start && levelOf(line) > 0 && levelOf(line) <= level);
  return lines
    .slice(start, next < 0 ? undefined : next)
    .join("\n")
    .trim();
}

export const wikiReadPage = defineTool({
  name: "wiki_read_page",
  title: "Read a knowledge page",
  description: "Returns a page of a knowledge base with the sources that it cites. sectionHeading returns one section.",
  ...readsPages,
  primaryArgument: "slug",
  input: ofBase({
    slug,
    maxChars: z.int().min(100).max(200_000).optional().describe("Characters of the content"),
    sectionHeading: z.string().trim().max(200).optional().describe("Only the section below this heading"),
  }),
  async execute({ agentId, slug, maxChars, sectionHeading, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { page, citations } = await knowledge.page(choice, slug);
    const section = sectionHeading ? sectionOf(page.content, sectionHeading) : page.content;
    if (section === null)
      throw new AppError("not_found", `Page ${page.slug} has no section "${sectionHeading}". Leave sectionHeading out.`);
    const content =
      maxChars && section.length > maxChars
        ? `${section.slice(0, maxChars).toWellFormed()}\n[cut: ${section.length - maxChars} more characters]`
        : section;
    const { title, version, lastUpdatedBy } = page;
    const sourceFiles = [...new Set(citations.map(({ name }) => name).filter(Boolean))];
    return fenced({ title, slug: page.slug, version, lastUpdatedBy: lastUpdatedBy.name, content, sourceFiles }, fromPages);
  },
});

/** Some models send one text with commas. */
const asSlugs = (given: unknown): unknown => (typeof given === "string" ? given.split(",") : given);

export const wikiReadMany = defineTool({
  name: "wiki_read_many",
  title: "Read several knowledge pages",
  description: "Returns up to 10 pages of a knowledge base by their slugs.",
  ...readsPages,
  primaryArgument: "slugs",
  input: ofBase({
    slugs: z
      .preprocess(
        asSlugs,
        z
          .array(z.string().max(200), { error: missingOr("slugs is required", "slugs") })
          .min(1, "slugs is required")
          .max(pagesMost, `at most ${pagesMost} pages at once`),
      )
      .describe("Slugs of at most 10 pages"),
    maxCharsPerPage: z.int().min(100).max(200_000).default(usualCharacters).describe("Characters of each page"),
  }),
  async execute({ agentId, slugs, maxCharsPerPage, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const wanted = [...new Set(slugs.map((one) => one.trim().toLowerCase()).filter(Boolean))];
    if (wanted.length === 0) throw new AppError("invalid", "No valid slugs supplied");
    const { base, pages } = await knowledge.pagesBySlugs(choice, wanted);
    const answered = wanted.map((slug) => {
      const page = pages.get(slug);
      if (!page) return { slug, found: false, title: null, summary: null, content: null, truncated: false };
      const truncated = page.content.length > maxCharsPerPage;
      const { title, summary } = page;
      return { slug: page.slug, found: true, title, summary, content: page.content.slice(0, maxCharsPerPage).toWellFormed(), truncated };
    });
    return fenced({ kbId: base.id, requestedCount: wanted.length, pages: answered }, fromPages);
  },
});

export const wikiListPages = defineTool({
  name: "wiki_list_pages",
  title: "List knowledge pages",
  description: "Lists the pages of a knowledge base with their summaries; with a query those whose title, slug or summary has it.",
  ...readsPages,
  primaryArgument: "query",
  input: ofBase({
    query: z.string().trim().max(200).default("").describe("Part of the title, slug or summary"),
  }),
  async execute({ agentId, query, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { base, pages: listed } = await knowledge.pages(choice);
    const part = query.toLowerCase();
    const found = listed.filter(({ slug, title, summary }) => `${slug}\n${title}\n${summary}`.toLowerCase().includes(part));
    const pages = found.map(({ slug, title, summary }) => ({ slug, title, summary }));
    return fenced({ kbId: base.id, pageCount: found.length, pages }, fromPages);
  },
});

export const wikiTraceSource = defineTool({
  name: "wiki_trace_source",
  title: "Trace a page's sources",
  description: "Lists the sources that a page of a knowledge base cites, each with its place.",
  ...readsPages,
  primaryArgument: "slug",
  input: ofBase({ slug }),
  async execute({ agentId, slug, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { page, citations } = await knowledge.page(choice, slug);
    const sourceFiles = citations.map(({ number, name, sourceId, part }) => ({
      ...{ number, name, page: part, sourceId },
      link: sourceId === null ? null : `/knowledge/sources/${sourceId}?page=${part ?? 1}`,
    }));
    return fenced({ pageTitle: page.title, pageSlug: page.slug, sourceFiles }, fromPages);
  },
});

export const wikiListKbs = defineTool({
  name: "wiki_list_kbs",
  title: "List knowledge bases",
  description: "Lists the knowledge bases that you may use, with how many pages they have and whether you may write.",
  ...readsPages,
  input: z.object(ownAgent),
  async execute({ agentId }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const kbs = (await knowledge.bases()).map(({ base: { id, name, description }, access, pages }) => ({
      ...{ kbId: id, name, description, pageCount: pages, access: access.access, pageTypes: access.pageTypes },
    }));
    return { count: kbs.length, kbs };
  },
});

export const wikiStalePages = defineTool({
  name: "wiki_stale_pages",
  title: "List stale pages",
  description: "Lists pages whose source or fact has changed since they were written, each with the reason.",
  ...readsPages,
  input: ofBase({}),
  async execute({ agentId, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { base, pages } = await knowledge.pages(choice, { stale: true });
    const stale = pages.map(({ slug, title, staleReason }) => ({ slug, title, reason: staleReason }));
    return fenced({ kbId: base.id, staleCount: stale.length, pages: stale }, fromPages);
  },
});

export const wikiRelatedPages = defineTool({
  name: "wiki_related_pages",
  title: "Find related pages",
  description: "Finds the pages that links and shared sources connect most with a page.",
  ...readsPages,
  primaryArgument: "slug",
  input: ofBase({
    slug,
    topK: z.int().min(1).max(10).default(5).describe("Pages in the answer"),
  }),
  async execute({ agentId, slug, topK, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const related = await knowledge.related(choice, slug, topK);
    const pages = related.map(({ page: { slug, title }, score, signals }) => ({ slug, title, score, signals }));
    return fenced({ slug, relatedCount: pages.length, pages }, fromPages);
  },
});

export const wikiExplainRelation = defineTool({
  name: "wiki_explain_relation",
  title: "Explain how pages relate",
  description: "Says what connects two pages: links, pages that both link, sources that both cite.",
  ...readsPages,
  primaryArgument: "slugA",
  input: ofBase({
    slugA: needed("slugA", 200).describe("Slug of one page"),
    slugB: needed("slugB", 200).describe("Slug of the other"),
  }),
  async execute({ agentId, slugA, slugB, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { links, backlinks, sharedLinks, sharedSources } = await knowledge.relation(choice, slugA, slugB);
    const sentences = [
      links ? `${slugA} links to ${slugB}.` : "",
      backlinks ? `${slugB} links to ${slugA}.` : "",
      sharedLinks.length > 0 ? `Both are linked with ${sharedLinks.join(", ")}.` : "",
      sharedSources.length > 0 ? `Both cite ${sharedSources.join(", ")}.` : "",
    ].filter(Boolean);
    const explanation = sentences.join(" ") || `Nothing connects ${slugA} and ${slugB} yet.`;
    return fenced({ slugA, slugB, links, backlinks, sharedLinks, sharedSources, explanation }, fromPages);
  },
});
