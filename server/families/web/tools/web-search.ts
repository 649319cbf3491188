import { z } from "zod";
import { maxSearchResults, searchFreshness } from "@/contracts/tools/search-settings";
import { http } from "@/server/capabilities/call-capabilities";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { fenceExternalText } from "@/server/tools/results/external-text";
import type { SearchHit, SearchQuery } from "../search/search-provider";
import { readSearchChain, unavailableReason } from "../search/search-settings";
import { webSearchCapability } from "../search/search-web";

/** Characters of all results together; the snippets of many results are shorter. */
const resultBudgetChars = 7_000;
const minSnippetChars = 80;

export const webSearch = defineTool({
  name: "web_search",
  title: "Search the web",
  description:
    "Searches the web and returns titles, addresses and snippets. Read a page with url_fetch. count is at most 20; freshness limits results to the last day, week, month or year.",
  family: "web",
  tier: "core",
  effect: "read",
  needs: [webSearchCapability, http],
  names: {
    aliases: ["WebSearchTool", "search_web", "internet_search", "google_search", "duckduckgo_search"],
    parameterAliases: {
      q: "query",
      search_query: "query",
      search_term: "query",
      max_results: "count",
      maxResults: "count",
      num_results: "count",
      numResults: "count",
      num: "count",
      limit: "count",
      time_range: "freshness",
      timeRange: "freshness",
      recency: "freshness",
      lang: "language",
      locale: "language",
    },
  },
  primaryArgument: "query",
  timeoutMs: 45_000,
  disclosure: {
    workspaceAvailability: async (workspaceId) => unavailableReason(await readSearchChain(workspaceId)),
  },
  input: z.object({
    query: z.string().trim().min(1).max(1_000).describe("Words to search for"),
    count: z
      .int()
      .default(5)
      .transform((count) => Math.min(maxSearchResults, Math.max(1, count)))
      .describe("Results to return, 1 to 20"),
    freshness: z.enum(searchFreshness).optional().describe("Only pages of this period"),
    language: z
      .string()
      .trim()
      .regex(/^[a-z]{2,3}(?:-[a-z]{2})?$/i, "must be a language code such as de or pt-BR")
      .optional()
      .describe("Language code, such as de or pt-BR"),
  }),
  async execute({ query, count, freshness, language }, { search, http, signal }) {
    const asked: SearchQuery = { query, count, freshness: freshness ?? null, language: language ?? null };
    const { provider, hits, cached, failures } = await search.search(asked, { http, signal });
    const ignored = (provider.ignores ?? []).filter((name) => asked[name] !== null);
    const via = `via ${provider.title}${cached ? ", cached" : ""}`;
    const text = [
      hits.length === 0 ? `No results (${via}). Try other words.` : `Search results (${via}): ${hits.length}`,
      ...(ignored.length > 0 ? [`${provider.title} does not filter by ${ignored.join(" and ")}.`] : []),
      ...(hits.length > 0 ? [fenceExternalText(listOf(hits), "the web")] : []),
    ].join("\n");
    const facts = { provider: provider.id, cached, query, resultCount: hits.length, failed: failures.map(({ provider }) => provider) };
    return toolResult({ text, structuredContent: facts });
  },
});

function listOf(hits: readonly SearchHit[]): string {
  const fixed = hits.reduce((chars, { title, url }) => chars + title.length + url.length + 20, 0);
  const room = Math.max(minSnippetChars, Math.floor((resultBudgetChars - fixed) / hits.length));
  return hits
    .map(({ title, url, snippet, date }, at) => {
      const shown = snippet.length > room ? `${snippet.slice(0, room - 1).toWellFormed()}…` : snippet;
      const words = [date, shown].filter((part) => part).join(" · ");
      return `${at + 1}. ${title}\n   ${url}${words === "" ? "" : `\n   ${words}`}`;
    })
    .join("\n");
}
