import { isObject, parseJson, readHits, type SearchProvider, splitLanguage } from "../search-provider";

const ranges = { day: "qdr:d", week: "qdr:w", month: "qdr:m", year: "qdr:y" } as const;

/** Google's results by serper.dev. */
export const serper: SearchProvider = {
  id: "serper",
  title: "Serper",
  needs: "key",
  defaultAddress: "https://google.serper.dev",
  request: ({ query, count, freshness, language }, { address, key }) => {
    const { language: hl, region: gl } = language === null ? { language: null, region: null } : splitLanguage(language);
    const body = { q: query, num: count, ...(freshness ? { tbs: ranges[freshness] } : {}), ...(hl ? { hl } : {}), ...(gl ? { gl } : {}) };
    return {
      method: "POST",
      url: `${address}/search`,
      headers: { "content-type": "application/json" },
      ownHeaders: { "x-api-key": key },
      body: JSON.stringify(body),
    };
  },
  // Serper leaves `organic` out when nothing was found.
  read: (answer) => {
    const json = parseJson(answer);
    return isObject(json) && isObject(json.searchParameters) && json.organic === undefined
      ? []
      : readHits(answer, ["organic"], { url: "link", snippet: "snippet", date: ["date"] });
  },
  explain: (status, answer) => (status === 400 && /not enough credits/i.test(answer) ? "its credits are used up" : null),
};
