import "server-only";
import { LRUCache } from "lru-cache";
import type { SearchProviderId } from "@/contracts/tools/search-settings";
import { defineCapability } from "@/server/capabilities/define-capability";
import { hadNoWay } from "@/server/capabilities/network/guarded-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { askProvider } from "./ask-provider";
import type { SearchHit, SearchProvider, SearchQuery } from "./search-provider";
import { loadSearchChain, type SearchAccess, type SearchChain, unavailableReason } from "./search-settings";

const askAdmin =
  "An admin can connect the machine or its DNS, or set up a provider that it reaches, such as SearXNG, in Settings, Search. Go on without the web.";
const cacheEntries = 100;
const cacheMs = 15 * 60_000;

type Network = { http: HttpCapability; signal: AbortSignal };
type Found = { provider: SearchProvider; hits: readonly SearchHit[] };
/** `lacksNetwork`: the machine found no way to the provider's own address, which is spelled right. */
export type SearchFailure = { provider: SearchProviderId; title: string; reason: string; lacksNetwork: boolean };
export type ChainAnswer = { found: Found | null; failures: SearchFailure[] };

/** Searches of one workspace. */
export type SearchCapability = {
  /** @throws AppError `unavailable` when no provider answers */
  search: (query: SearchQuery, network: Network) => Promise<Found & { cached: boolean; failures: SearchFailure[] }>;
};

/** The search providers of the call's workspace, with its keys. */
export const webSearchCapability = defineCapability({
  name: "search",
  title: "The search providers of the workspace",
  isOfConversation: false,
  reachesHosts: true,
  create: ({ workspaceId }): SearchCapability => ({
    search: async (query, network) => searchWeb(workspaceId, await loadSearchChain(workspaceId), query, network),
  }),
});

const cache = () => processWide("webSearch.cache", () => new LRUCache<string, Found>({ max: cacheEntries, ttl: cacheMs }));

/** Answers from the cache, or asks the providers in their order. @throws AppError `unavailable` */
export async function searchWeb(workspaceId: string, chain: SearchChain, query: SearchQuery, network: Network) {
  const reason = unavailableReason(chain);
  if (reason) throw new AppError("unavailable", reason);
  // The version is part of the key, so that a change of the settings takes effect at once.
  const key = JSON.stringify([workspaceId, chain.version, query.query, query.count, query.freshness, query.language]);
  const cached = cache().get(key);
  if (cached) return { ...cached, cached: true, failures: [] };
  const { found, failures } = await askInOrder(usable(chain), query, network);
  if (!found) {
    const list = failures.map(({ title, reason }) => `${title}: ${reason.replace(/\.$/, "")}`).join("; ");
    throw new AppError(
      "unavailable",
      failures.some(({ lacksNetwork }) => lacksNetwork)
        ? `Web search failed, because this machine has no way to the internet: no network, or no name server (DNS). ${list}. Other words will not help. ${askAdmin}`
        : `Web search failed. ${list}. Try again later, or fetch a known address with url_fetch.`,
    );
  }
  // An empty answer may be full a minute later.
  if (found.hits.length > 0) cache().set(key, found);
  return { ...found, cached: false, failures };
}

/** Returns the providers to ask: all that are ready, or the first of them without fallback. */
export function usable({ fallback, accesses }: Pick<SearchChain, "fallback" | "accesses">): SearchAccess[] {
  const ready = accesses.filter(({ status }) => status === "ready");
  return fallback ? ready : ready.slice(0, 1);
}

/** Asks providers one after the other until one answers. */
export async function askInOrder(accesses: readonly SearchAccess[], query: SearchQuery, network: Network): Promise<ChainAnswer> {
  const failures: SearchFailure[] = [];
  for (const access of accesses) {
    const { provider } = access;
    try {
      return { found: { provider, hits: await askProvider(access, query, network) }, failures };
    } catch (error) {
      network.signal.throwIfAborted();
      const lacksNetwork = hadNoWay(error) && access.address === provider.defaultAddress;
      failures.push({ provider: provider.id, title: provider.title, reason: toErrorMessage(error), lacksNetwork });
    }
  }
  return { found: null, failures };
}
