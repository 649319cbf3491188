import { readableHtml } from "../../html-text";
import { isObject, parseJson, readHits, type SearchProvider, splitLanguage, unreadable } from "../search-provider";

const ranges = { day: "pd", week: "pw", month: "pm", year: "py" } as const;
/** Languages that Brave names in its own way. */
const ownLanguages: Record<string, string> = {
  ja: "jp",
  pt: "pt-pt",
  "pt-br": "pt-br",
  "en-gb": "en-gb",
  zh: "zh-hans",
  "zh-cn": "zh-hans",
  "zh-tw": "zh-hant",
  "zh-hk": "zh-hant",
};
/** Brave refuses longer queries. */
const maxQueryChars = 400;
const maxQueryWords = 50;

/** The index of Brave Search. */
export const brave: SearchProvider = {
  id: "brave",
  title: "Brave",
  needs: "key",
  defaultAddress: "https://api.search.brave.com",
  request: ({ query, count, freshness, language }, { address, key }) => {
    const parameters = new URLSearchParams({ q: shortened(query), count: String(count), text_decorations: "false" });
    if (freshness) parameters.set("freshness", ranges[freshness]);
    if (language !== null) {
      const { language: code, region } = splitLanguage(language);
      parameters.set("search_lang", ownLanguages[language.toLowerCase()] ?? ownLanguages[code] ?? code);
      if (region) parameters.set("country", region.toUpperCase());
    }
    return {
      method: "GET",
      url: `${address}/res/v1/web/search?${parameters}`,
      headers: { accept: "application/json" },
      ownHeaders: { "x-subscription-token": key },
    };
  },
  read: (answer) => {
    const json = parseJson(answer);
    if (!isObject(json) || json.type !== "search") throw unreadable();
    // Brave leaves `web` out when nothing was found.
    if (json.web === undefined) return [];
    return readHits(answer, ["web", "results"], { url: "url", snippet: "description", date: ["page_age", "age"] }).map((hit) => ({
      ...hit,
      title: plain(hit.title),
      snippet: plain(hit.snippet),
    }));
  },
  explain: (status, answer) => (status === 422 && /SUBSCRIPTION_TOKEN_INVALID/.test(answer) ? "it refuses the API key" : null),
};

const shortened = (query: string): string => query.split(/\s+/).slice(0, maxQueryWords).join(" ").slice(0, maxQueryChars).toWellFormed();

/** Brave's texts hold tags and entities. */
const plain = (html: string): string => readableHtml(html, { baseUrl: "https://search.brave.com", maxChars: 2_000, maxLinks: 0 }).text;
