import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { type HookDraft, type HookRunFilter, hookEndpoints } from "@/contracts/browser/hooks/hooks";
import type { JsonObject } from "@/contracts/common";

export const hookRunPageSize = 50;
const runsPollMs = 10_000;

export const hookResource = defineResource({
  key: "hooks",
  noun: "hook",
  endpoints: hookEndpoints,
  isPaged: true,
  toDraft: async (hook) => {
    // Loaded by the first switch, because the form knows every action and its fields.
    const { toHookDraft, toHookForm } = await import("./hook-form");
    const { draft } = toHookDraft(toHookForm(hook));
    if (!draft) throw new Error("This hook cannot be changed here: open it and look at its fields.");
    return draft;
  },
});

/** Input of a trial: a recorded call, the newest matching call (null), or an example. */
export type TriedOn = { callId: string | null; example: JsonObject | null };

export const hookQueries = {
  runs: (filter: HookRunFilter) =>
    infiniteQueryOptions({
      queryKey: [...hookResource.all(), "runs", filter],
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
      queryKey: [...hookResource.all(), "trial", hook, callId, example],
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
