import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type ScheduleRunFilter, type ScheduleTiming, scheduleEndpoints } from "@/contracts/browser/schedules";

/** Limit of a list with all schedules, because people read them as one list. */
export const mostSchedules = 200;
export const runPageSize = 50;

/** A schedule runs without anybody here, so the page looks for itself. */
const lookMs = 10_000;

export const scheduleQueries = {
  all: () => ["schedules"] as const,

  list: () =>
    queryOptions({
      queryKey: [...scheduleQueries.all(), "list"],
      queryFn: ({ signal }) => call(scheduleEndpoints.list, { query: { limit: mostSchedules } }, { signal }),
      refetchInterval: lookMs,
    }),

  runs: (filter: ScheduleRunFilter) =>
    infiniteQueryOptions({
      queryKey: [...scheduleQueries.all(), "runs", filter],
      queryFn: ({ signal, pageParam }) =>
        call(scheduleEndpoints.listRuns, { query: { ...filter, limit: runPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),

  preview: (timing: ScheduleTiming, timezone: string) =>
    queryOptions({
      queryKey: [...scheduleQueries.all(), "preview", timing, timezone],
      queryFn: ({ signal }) => call(scheduleEndpoints.preview, { body: { timing, timezone } }, { signal }),
      placeholderData: keepPreviousData,
      retry: false,
      gcTime: 60_000,
    }),
};
