import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { type ScheduleRunFilter, type ScheduleTiming, scheduleEndpoints } from "@/contracts/browser/automation/schedules";

export const runPageSize = 50;

/** A schedule runs without anybody here, so the page looks for itself. */
const lookMs = 10_000;

export const scheduleResource = defineResource({
  key: "schedules",
  noun: "schedule",
  endpoints: scheduleEndpoints,
  isPaged: true,
  pollMs: () => lookMs,
  toDraft: ({ name, action, text, timing, timezone, missed, enabled }) => ({ name, action, text, timing, timezone, missed, enabled }),
});

export const scheduleQueries = {
  runs: (filter: ScheduleRunFilter) =>
    infiniteQueryOptions({
      queryKey: [...scheduleResource.all(), "runs", filter],
      queryFn: ({ signal, pageParam }) =>
        call(scheduleEndpoints.listRuns, { query: { ...filter, limit: runPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),

  preview: (timing: ScheduleTiming, timezone: string) =>
    queryOptions({
      queryKey: [...scheduleResource.all(), "preview", timing, timezone],
      queryFn: ({ signal }) => call(scheduleEndpoints.preview, { body: { timing, timezone } }, { signal }),
      placeholderData: keepPreviousData,
      retry: false,
      gcTime: 60_000,
    }),
};
