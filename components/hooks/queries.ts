import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type HookDraft, type HookRunFilter, hookEndpoints } from "@/contracts/browser/hooks";
import type { JsonObject } from "@/contracts/common";

/** Limit of a list with all hooks: they form one ordered list, and no workspace has more. */
export const mostHooks = 200;
export const hookRunPageSize = 50;
const runsPollMs = 10_000;

/** Input of a trial: a recorded call, the newest matching call (null), or an example. */
export type TriedOn = { callId: string | null; example: JsonObject | null };

export const hookQueries = {
  all: () => ["hooks"] as const,

  list: () =>
    queryOptions({
      queryKey: [...hookQueries.all(), "list"],
      queryFn: ({ signal }) => call(hookEndpoints.list, { query: { limit: mostHooks } }, { signal }),
    }),

  runs: (filter: HookRunFilter) =>
    infiniteQueryOptions({
      queryKey: [...hookQueries.all(), "runs", filter],
      queryFn: ({ signal, pageParam }) =>
        call(hookEndpoints.listRuns, { query: { ...filter, limit: hookRunPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? runsPollMs : false),
    }),

  /** Trial of an unsaved hook; the last answer stays visible until the next one arrives. */
  trial: (hook: HookDraft | null, { callId, example }: TriedOn) =>
    queryOptions({
      queryKey: [...hookQueries.all(), "trial", hook, callId, example],
      queryFn: ({ signal }) =>
        hook
          ? call(hookEndpoints.tryOut, { body: { hook, callId, example: example && { value: example } } }, { signal })
          : Promise.resolve(null),
      enabled: hook !== null,
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 5_000,
      gcTime: 60_000,
    }),
};
