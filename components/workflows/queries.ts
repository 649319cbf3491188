import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { workflowEndpoints } from "@/contracts/browser/workflows";

const runPageSize = 20;
/** Steps go on without anybody here, so the page looks for itself. */
const lookMs = 3_000;

export const workflowQueries = {
  all: () => ["workflows"] as const,

  list: () =>
    queryOptions({
      queryKey: [...workflowQueries.all(), "list"],
      queryFn: ({ signal }) => call(workflowEndpoints.list, {}, { signal }),
    }),

  runs: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...workflowQueries.all(), "runs", id],
      queryFn: ({ signal, pageParam }) =>
        call(workflowEndpoints.listRuns, { params: { id }, query: { limit: runPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),
};
