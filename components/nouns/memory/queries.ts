import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { memoryEndpoints } from "@/contracts/browser/memory/memory";
import { memoryFactEndpoints } from "@/contracts/browser/memory/memory-facts";
import { memoryUpkeepEndpoints } from "@/contracts/browser/memory/memory-upkeep";

/** Agents write memory while the page is open, so it looks for itself. */
const lookMs = 10_000;
const changesShown = 50;

/** The part of a memory that is shown: one owner's, the shared one (an empty key), or all (null). */
export type Shown = { agentId: string; ownerKey: string | null };
const queryOf = ({ agentId, ownerKey }: Shown) => ({ agentId, ...(ownerKey === null ? {} : { ownerKey }) });
const ownerOf = ({ ownerKey }: Shown) => (ownerKey === null ? {} : { ownerKey });

export const memoryQueries = {
  all: () => ["memory"] as const,

  owners: (agentId: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "owners", agentId],
      queryFn: ({ signal }) => call(memoryEndpoints.listOwners, { params: { id: agentId } }, { signal }),
      refetchInterval: lookMs,
    }),

  files: (shown: Shown) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "files", shown],
      queryFn: ({ signal }) => everyPage((page) => call(memoryEndpoints.listFiles, { query: { ...queryOf(shown), ...page } }, { signal })),
      refetchInterval: lookMs,
    }),

  file: (id: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "file", id],
      queryFn: ({ signal }) => call(memoryEndpoints.getFile, { params: { id } }, { signal }),
    }),

  versions: (id: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "versions", id],
      queryFn: ({ signal }) => call(memoryEndpoints.listVersions, { params: { id } }, { signal }),
    }),

  entries: (shown: Shown) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "entries", shown],
      queryFn: ({ signal }) =>
        everyPage((page) => call(memoryEndpoints.listEntries, { query: { ...queryOf(shown), ...page } }, { signal })),
      refetchInterval: lookMs,
    }),

  facts: (shown: Shown) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "facts", shown],
      queryFn: ({ signal }) => everyPage((page) => call(memoryFactEndpoints.list, { query: { ...queryOf(shown), ...page } }, { signal })),
      refetchInterval: lookMs,
    }),

  contradictions: (shown: Shown) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "contradictions", shown],
      queryFn: ({ signal }) =>
        call(memoryFactEndpoints.listContradictions, { params: { id: shown.agentId }, query: ownerOf(shown) }, { signal }),
      refetchInterval: lookMs,
    }),

  prompt: (shown: Shown, message: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "prompt", shown, message],
      queryFn: ({ signal }) =>
        call(memoryEndpoints.prompt, { params: { id: shown.agentId }, query: { ...ownerOf(shown), message } }, { signal }),
      placeholderData: keepPreviousData,
    }),

  search: (shown: Shown, query: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "search", shown, query],
      queryFn: ({ signal }) =>
        call(memoryUpkeepEndpoints.search, { params: { id: shown.agentId }, query: { query, ...ownerOf(shown) } }, { signal }),
      enabled: query !== "",
      placeholderData: keepPreviousData,
    }),

  changes: (shown: Shown) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "changes", shown],
      queryFn: ({ signal }) => call(memoryUpkeepEndpoints.listChanges, { query: { ...queryOf(shown), limit: changesShown } }, { signal }),
      refetchInterval: lookMs,
    }),

  change: (id: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "change", id],
      queryFn: ({ signal }) => call(memoryUpkeepEndpoints.getChange, { params: { id } }, { signal }),
    }),

  settings: (agentId: string) =>
    queryOptions({
      queryKey: [...memoryQueries.all(), "settings", agentId],
      queryFn: ({ signal }) => call(memoryUpkeepEndpoints.settings, { params: { id: agentId } }, { signal }),
    }),
};
