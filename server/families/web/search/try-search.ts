import "server-only";
import type { SearchTrial, SearchTrialResult } from "@/contracts/tools/search-settings";
import type { Authorized } from "@/server/auth/actor";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { AppError } from "@/server/platform/errors";
import { loadPolicy } from "@/server/policy/policy";
import { privateHosts } from "@/server/turns/decide/sandbox-openings";
import type { SearchAccess } from "./search-settings";
import { readSearchChain } from "./search-settings";
import { askInOrder, usable } from "./search-web";

const triedResults = 5;

/**
 * Sends a query with the saved settings, past the cache.
 * @throws AppError `invalid` when the provider, or every one, lacks a key or an address
 */
export async function trySearch(
  actor: Authorized<"tools:write">,
  { query, provider }: SearchTrial,
  signal: AbortSignal,
): Promise<SearchTrialResult> {
  const chain = await readSearchChain(actor.workspaceId);
  const asked = provider === undefined ? usable(chain) : chain.accesses.filter((access) => access.provider.id === provider);
  const incomplete = asked.find((access) => !isComplete(access));
  if (asked.length === 0 || incomplete) {
    const sentence = incomplete ? lackOf(incomplete) : "No provider is ready. Switch one on, or add a key.";
    throw new AppError("invalid", sentence, { errors: [{ path: "provider", message: sentence }] });
  }
  const startedAt = performance.now();
  const http = guardedHttp({ privateHosts: privateHosts(await loadPolicy(actor.workspaceId)) });
  const { found, failures } = await askInOrder(asked, { query, count: triedResults, freshness: null, language: null }, { http, signal });
  return {
    provider: found?.provider.id ?? null,
    results: [...(found?.hits ?? [])],
    failures: failures.map(({ provider, reason }) => ({ provider, reason })),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

/** A provider that is off can be tried, so that an admin may check it before agents use it. */
function isComplete({ provider, address, key }: SearchAccess): boolean {
  return address !== "" && (provider.needs !== "key" || key !== "");
}

function lackOf({ provider, status }: SearchAccess): string {
  if (status === "key_unreadable") return `The key of ${provider.title} was sealed with another key. Type it again.`;
  return provider.needs === "key" ? `${provider.title} needs a key.` : `${provider.title} needs an address.`;
}
