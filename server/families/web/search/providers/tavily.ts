import { readHits, type SearchProvider } from "../search-provider";

/** Tavily's search for language models. */
export const tavily: SearchProvider = {
  id: "tavily",
  title: "Tavily",
  needs: "key",
  defaultAddress: "https://api.tavily.com",
  ignores: ["language"],
  request: ({ query, count, freshness }, { address, key }) => ({
    method: "POST",
    url: `${address}/search`,
    headers: { "content-type": "application/json" },
    ownHeaders: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, max_results: count, search_depth: "basic", ...(freshness ? { time_range: freshness } : {}) }),
  }),
  read: (answer) => readHits(answer, ["results"], { url: "url", snippet: "content", date: ["published_date"] }),
  explain: (status) => (status === 432 || status === 433 ? "its plan is used up" : null),
};
