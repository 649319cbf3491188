import type { ServerResponse } from "node:http";
import { httpApi, type ReceivedRequest } from "./http-api";

export type FoundPage = { title: string; url: string; snippet: string };

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** DuckDuckGo's page without scripts, with an advertisement before the results. */
export function duckduckgoPage(pages: readonly FoundPage[]): string {
  const results = pages.map(
    ({ title, url, snippet }) => `<div class="result results_links results_links_deep web-result ">
      <div class="links_main links_deep result__body"><h2 class="result__title">
      <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc">${escapeHtml(title)}</a></h2>
      <div class="result__extras"><a class="result__url" href="#">x</a></div>
      <a class="result__snippet" href="#">${escapeHtml(snippet).replace("found", "<b>found</b>")}</a></div></div>`,
  );
  return `<!DOCTYPE html><html><body><div id="links" class="results">
    <div class="result results_links result--ad"><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=ads.example">Buy</a>
    <a class="result__snippet" href="#">Advertisement</a></div>${results.join("\n")}</div></body></html>`;
}

/** Answers as the five search services do, each at its own path and only for the right key. */
export function answerAsEngine(pages: readonly FoundPage[], request: ReceivedRequest, response: ServerResponse): void {
  const { status, body } = answerOf(pages, request);
  const type = typeof body === "string" ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": type }).end(typeof body === "string" ? body : JSON.stringify(body));
}

function answerOf(pages: readonly FoundPage[], { url, headers, method }: ReceivedRequest): { status: number; body: unknown } {
  const { pathname, searchParams } = new URL(url, "http://engine");
  switch (`${method} ${pathname}`) {
    case "POST /serper/search": {
      if (headers["x-api-key"] !== "serper-key-1") return { status: 403, body: { message: "Unauthorized.", statusCode: 403 } };
      const organic = pages.map(({ title, url, snippet }, at) => ({ title, link: url, snippet, date: "May 1, 2026", position: at + 1 }));
      return { status: 200, body: { searchParameters: { q: "x", type: "search" }, organic } };
    }
    case "POST /tavily/search": {
      if (headers.authorization !== "Bearer tvly-key-1")
        return { status: 401, body: { detail: { error: "Unauthorized: missing or invalid API key." } } };
      const results = pages.map(({ title, url, snippet }) => ({ title, url, content: snippet, score: 0.9 }));
      return { status: 200, body: { query: "x", results, response_time: 1 } };
    }
    case "GET /brave/res/v1/web/search": {
      if (headers["x-subscription-token"] !== "brave-key-1")
        return { status: 422, body: { type: "ErrorResponse", error: { code: "SUBSCRIPTION_TOKEN_INVALID", status: 422 } } };
      const marked = (text: string) => `<strong>${escapeHtml(text)}</strong>`;
      const results = pages.map(({ title, url, snippet }) => ({ title: escapeHtml(title), url, description: marked(snippet) }));
      return { status: 200, body: { type: "search", web: { type: "search", results } } };
    }
    case "POST /ddg/html/":
      return { status: 200, body: duckduckgoPage(pages) };
    case "GET /searxng/search": {
      if (searchParams.get("format") !== "json") return { status: 200, body: "<html></html>" };
      const results = pages.map(({ title, url, snippet }) => ({ title, url, content: snippet }));
      return { status: 200, body: { query: "x", results, unresponsive_engines: [] } };
    }
    default:
      return { status: 404, body: { error: "not found" } };
  }
}

/** Starts a server that speaks the protocols of all five search services, until the test ends. */
export async function searchEngine(pages: readonly FoundPage[]) {
  const api = await httpApi((request, response) => answerAsEngine(pages, request, response));
  return { ...api, address: (name: string) => `${api.origin}/${name}` };
}
