import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type Job, type JobFilter, jobEndpoints } from "@/contracts/browser/calls/jobs";

export const jobPageSize = 50;

const whileRunningMs = 2_000;
const otherwiseMs = 10_000;

export const hasEnded = ({ finishedAt }: Pick<Job, "finishedAt">): boolean => finishedAt !== null;

export const jobQueries = {
  all: () => ["jobs"] as const,

  recent: (filter: JobFilter) =>
    infiniteQueryOptions({
      queryKey: [...jobQueries.all(), "recent", filter],
      queryFn: ({ signal, pageParam }) =>
        call(jobEndpoints.list, { query: { ...filter, limit: jobPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: ({ state }) => (state.data?.pages.every(({ items }) => items.every(hasEnded)) ? otherwiseMs : whileRunningMs),
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...jobQueries.all(), "one", id],
      queryFn: ({ signal }) => call(jobEndpoints.get, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? whileRunningMs : false),
    }),
};
