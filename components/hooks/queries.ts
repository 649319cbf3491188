import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import type { JsonObject } from "@/contracts/common";
import { type HookDraft, type HookRunFilter, hookEndpoints } from "@/contracts/hooks";

/** All hooks at once: they are one ordered list, and a workspace has no more. */
export const mostHooks = 200;
export const hookRunPageSize = 50;
const runsPollMs = 10_000;

/** What a hook is tried on: a recorded call, the newest that it is for (null), or an example. */
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
      // Whoever has read further down is not pulled back by what is new.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? runsPollMs : false),
    }),

  /** What a hook being written would do; the last answer stays on the screen until the next one is there. */
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
