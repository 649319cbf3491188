import { AppError } from "@/server/platform/errors";
import { isObject, parseJson, readHits, type SearchProvider } from "../search-provider";

/** A metasearch engine that people run themselves; its settings must allow the format `json`. */
export const searxng: SearchProvider = {
  id: "searxng",
  title: "SearXNG",
  needs: "address",
  defaultAddress: null,
  request: ({ query, freshness, language }, { address }) => {
    const parameters = new URLSearchParams({ q: query, format: "json" });
    if (freshness) parameters.set("time_range", freshness);
    if (language !== null) parameters.set("language", language);
    return { method: "GET", url: `${address}/search?${parameters}`, headers: { accept: "application/json" } };
  },
  read: (answer) => {
    const hits = readHits(answer, ["results"], { url: "url", snippet: "content", date: ["publishedDate"] });
    const json = parseJson(answer);
    const silent = isObject(json) && Array.isArray(json.unresponsive_engines) ? json.unresponsive_engines.length : 0;
    if (hits.length === 0 && silent > 0) throw new AppError("unavailable", `${silent} of its engines did not answer`);
    return hits;
  },
  explain: (status) => (status === 403 ? "it does not allow the format json; add json to search.formats in its settings.yml" : null),
};
