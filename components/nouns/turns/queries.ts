import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type TurnFilter, turnEndpoints } from "@/contracts/browser/turns/turns";

/** Poll interval as a fallback for the event stream of an unfinished turn. */
const slowPollMs = 15_000;
const listPollMs = 10_000;
export const turnPageSize = 50;

export const turnQueries = {
  all: () => ["turns"] as const,

  recent: (filter: TurnFilter) =>
    infiniteQueryOptions({
      queryKey: [...turnQueries.all(), "recent", filter],
      queryFn: ({ signal, pageParam }) =>
        call(turnEndpoints.list, { query: { ...filter, limit: turnPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: listPollMs,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...turnQueries.all(), "one", id],
      queryFn: ({ signal }) => call(turnEndpoints.get, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data?.finishedAt === null ? slowPollMs : false),
    }),
};
