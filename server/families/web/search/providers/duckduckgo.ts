import { Parser } from "htmlparser2";
import { AppError } from "@/server/platform/errors";
import { type SearchHit, type SearchProvider, splitLanguage, unreadable } from "../search-provider";

const ranges = { day: "d", week: "w", month: "m", year: "y" } as const;
/** Regions of DuckDuckGo for languages without one. */
const regions: Record<string, string> = {
  en: "us-en",
  ja: "jp-jp",
  zh: "cn-zh",
  ko: "kr-kr",
  sv: "se-sv",
  da: "dk-da",
  cs: "cz-cs",
  el: "gr-el",
  uk: "ua-uk",
  he: "il-he",
  et: "ee-et",
  sl: "sl-sl",
  vi: "vn-vi",
  ar: "xa-ar",
};
const maxHits = 40;
/** DuckDuckGo nests some twenty elements. The parser's time grows with the square of the depth. */
const maxDepth = 200;
const botCheck = () => new AppError("unavailable", "it asks for a proof that a person is searching");

/** The page of DuckDuckGo for browsers without scripts; it needs no key. */
export const duckduckgo: SearchProvider = {
  id: "duckduckgo",
  title: "DuckDuckGo",
  needs: "nothing",
  defaultAddress: "https://html.duckduckgo.com",
  request: ({ query, freshness, language }, { address }) => ({
    method: "POST",
    url: `${address}/html/`,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      "user-agent": "Mozilla/5.0 (compatible; Handrail)",
    },
    body: new URLSearchParams({
      q: query,
      kl: language === null ? "wt-wt" : regionOf(language),
      ...(freshness ? { df: ranges[freshness] } : {}),
    }).toString(),
  }),
  read,
};

function regionOf(written: string): string {
  const { language, region } = splitLanguage(written);
  return region ? `${region}-${language}` : (regions[language] ?? `${language}-${language}`);
}

/** Reads the page in one pass, because a document tree of a hostile page could take all memory. */
function read(page: string): SearchHit[] {
  const hits: SearchHit[] = [];
  let part: "title" | "snippet" | null = null;
  let isAd = false;
  let hasResults = false;
  let isBotCheck = false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, { class: classes = "", id = "", href = "" }) {
        depth += 1;
        if (depth > maxDepth) throw unreadable();
        const has = (wanted: string) => classes.split(/\s+/).includes(wanted);
        if (/^anomaly/.test(classes) || id === "challenge-form") isBotCheck = true;
        if (id === "links" || has("no-results") || has("results")) hasResults = true;
        if (has("result")) isAd = has("result--ad");
        if (isAd || hits.length >= maxHits) return;
        if (name === "a" && has("result__a")) {
          hits.push({ title: "", url: targetOf(href), snippet: "", date: null });
          part = "title";
        } else if (has("result__snippet") && hits.length > 0) part = "snippet";
      },
      ontext(text) {
        const hit = hits.at(-1);
        if (hit && part) hit[part] += text;
      },
      onclosetag(name) {
        depth -= 1;
        if (name === "a" || name === "div" || name === "td") part = null;
      },
    },
    { decodeEntities: true },
  );
  parser.end(page);
  if (hits.length === 0 && isBotCheck) throw botCheck();
  if (hits.length === 0 && !hasResults) throw unreadable();
  return hits.filter(({ url }) => url !== "");
}

/** Unwraps DuckDuckGo's redirect: `//duckduckgo.com/l/?uddg=<address>`. */
function targetOf(href: string): string {
  const url = URL.parse(href, "https://duckduckgo.com");
  if (!url) return "";
  const isOwn = url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com");
  if (isOwn && url.pathname.startsWith("/l/")) return url.searchParams.get("uddg") ?? "";
  return isOwn && url.pathname === "/y.js" ? "" : url.href;
}
