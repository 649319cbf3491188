import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { topicEndpoints } from "@/contracts/browser/agents/topics";

const messagePageSize = 30;
/** Agents send without anybody here, so the page looks for itself. */
const lookMs = 5_000;

export const topicQueries = {
  all: () => ["topics"] as const,

  list: () =>
    queryOptions({
      queryKey: [...topicQueries.all(), "list"],
      queryFn: ({ signal }) => call(topicEndpoints.list, {}, { signal }),
    }),

  messages: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...topicQueries.all(), "messages", id],
      queryFn: ({ signal, pageParam }) =>
        call(topicEndpoints.listMessages, { params: { id }, query: { limit: messagePageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),

  watches: (id: string) =>
    queryOptions({
      queryKey: [...topicQueries.all(), "watches", id],
      queryFn: ({ signal }) => call(topicEndpoints.listWatches, { params: { id } }, { signal }),
      refetchInterval: lookMs,
    }),
};
