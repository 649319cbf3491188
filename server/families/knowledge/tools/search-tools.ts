import { z } from "zod";
import { defineTool } from "@/server/tools/define-tool";
import { definitionOf } from "../transformations/compile-page";
import { fenced, ofBase, query, readsPages, requireOwn } from "./wiki-arguments";

const modes = ["keyword", "semantic", "hybrid"] as const;
const topK = z.int().min(1).max(20).default(5).describe("Hits in the answer");

export const wikiSearchPages = defineTool({
  name: "wiki_search_pages",
  title: "Search knowledge pages",
  description: "Finds pages of a knowledge base by words and names, best first, each with why it fits.",
  ...readsPages,
  primaryArgument: "query",
  input: ofBase({
    query,
    mode: z
      .enum(modes)
      .default("hybrid")
      .describe("semantic and hybrid need an embedding model of the base; without one, words and names are compared"),
    topK,
    layer: z.enum(["fact", "experience"]).optional().describe("Only pages of this layer"),
  }),
  async execute({ agentId, query, mode, topK, layer, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { hits, note } = await knowledge.searchPages(choice, { request: query, limit: topK, mode, layer });
    const pages = hits.map(({ page: { slug, title }, snippet, matched, matchedBy, score }) => {
      const reason = reasonOf(matched, matchedBy);
      return { slug, title, snippet, matchedBy: matchedBy.join("+"), reason, score };
    });
    return fenced({ query, mode, matchCount: pages.length, pages, ...(note ? { note } : {}) }, "pages of a knowledge base");
  },
});

function reasonOf(matched: readonly string[], matchedBy: readonly string[]): string {
  if (matched.length > 0) return `It has ${matched.map((word) => `"${word}"`).join(", ")}.`;
  return matchedBy.includes("name") ? "Its name has the request, or is spelt like it." : "Its meaning is near the request.";
}

export const wikiSemanticSearch = defineTool({
  name: "wiki_semantic_search",
  title: "Search sources",
  description: "Finds passages of a knowledge base's sources, best first, with page and section, and says how to cite them.",
  ...readsPages,
  primaryArgument: "query",
  input: ofBase({ query, topK }),
  async execute({ agentId, query, topK, ...choice }, { knowledge }) {
    await requireOwn(knowledge, agentId);
    const { base, hits, note } = await knowledge.searchChunks(choice, query, topK);
    const chunks = hits.map(({ chunk, sourceName, snippet, score }, at) => ({
      ...{ index: at + 1, chunkId: chunk.id, rawTitle: sourceName, snippet, score },
      ...{ pageNumber: chunk.page, section: chunk.headings.join(" > ") || null },
    }));
    const definitions = hits.map((hit, at) => definitionOf(at + 1, hit)).join("\n");
    const citationHint =
      hits.length === 0
        ? "Nothing was found. Say so, or try other words."
        : `Cite passages as [1], [2] in the answer, and end it with these lines for the ones that you cite:\n${definitions}`;
    const found = { kbId: base.id, query, matchCount: chunks.length, chunks, citationHint, ...(note ? { note } : {}) };
    return fenced(found, `sources of the knowledge base ${base.name}`);
  },
});
