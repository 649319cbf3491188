import { hadNoWay } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import { AppError, isAppError } from "@/server/platform/errors";
import type { SearchHit, SearchQuery } from "./search-provider";
import type { SearchAccess } from "./search-settings";

const providerTimeoutMs = 8_000;
const maxAnswerBytes = 2 * 1_048_576;
const maxTitleChars = 200;
const maxSnippetChars = 500;
const maxUrlChars = 2_000;

/**
 * Sends a query to one provider and returns its results, cleaned and within the bounds.
 * @throws AppError with a reason for people and models; no text of the provider is in it
 */
export async function askProvider(
  { provider, address, key }: SearchAccess,
  query: SearchQuery,
  { http, signal }: { http: HttpCapability; signal: AbortSignal },
): Promise<SearchHit[]> {
  const timeout = AbortSignal.timeout(providerTimeoutMs);
  const { url, ...request } = provider.request(query, { address, key });
  try {
    const { status, bytes, truncated } = await http.fetch(url, {
      ...request,
      signal: AbortSignal.any([signal, timeout]),
      maxBytes: maxAnswerBytes,
    });
    const answer = new TextDecoder().decode(bytes);
    if (status !== 200) throw new AppError("unavailable", provider.explain?.(status, answer) ?? statusReason(status));
    if (truncated) throw new AppError("unavailable", "its answer is larger than 2 MiB");
    return cleanHits(provider.read(answer), query.count);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new AppError("timed_out", `it did not answer within ${providerTimeoutMs / 1_000} seconds`);
    // The spelling of our own addresses is right, and an admin wrote the others: the model can mend neither.
    if (isAppError(error) && hadNoWay(error))
      throw new AppError("unavailable", noWayReason(url, address === provider.defaultAddress), { cause: error.details.cause });
    if (isAppError(error)) throw key === "" ? error : new AppError(error.code, error.message.replaceAll(key, "***"));
    throw error;
  }
}

function noWayReason(url: string, isDefault: boolean): string {
  const sentence = `this machine finds no way to ${URL.parse(url)?.host ?? "its host"}`;
  return isDefault ? sentence : `${sentence}; an admin can check the address in Settings, Search`;
}

function statusReason(status: number): string {
  if (status === 401 || status === 403) return `it refuses the request (HTTP ${status}); its key may be wrong`;
  if (status === 402) return "its plan is used up (HTTP 402)";
  if (status === 429) return "it limits the number of requests (HTTP 429)";
  if (status === 202) return "it asks for a proof that a person is searching";
  return `it answers HTTP ${status}`;
}

/** Keeps web addresses only, each once, and removes tags, invisible characters and line breaks from the texts. */
function cleanHits(hits: readonly SearchHit[], count: number): SearchHit[] {
  const byUrl = new Map<string, SearchHit>();
  for (const { title, url, snippet, date } of hits) {
    const parsed = URL.parse(url);
    if (!parsed || (parsed.protocol !== "http:" && parsed.protocol !== "https:") || parsed.username || parsed.password) continue;
    if (parsed.href.length > maxUrlChars || byUrl.has(parsed.href)) continue;
    byUrl.set(parsed.href, {
      title: cleanLine(title, maxTitleChars) || parsed.hostname,
      url: parsed.href,
      snippet: cleanLine(snippet, maxSnippetChars),
      date: date === null ? null : cleanLine(date, 40) || null,
    });
    if (byUrl.size === count) break;
  }
  return [...byUrl.values()];
}
