import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { channelEndpoints } from "@/contracts/browser/channels";

const messagePageSize = 30;
/** Agents send without anybody here, so the page looks for itself. */
const lookMs = 5_000;

export const channelQueries = {
  all: () => ["channels"] as const,

  list: () =>
    queryOptions({
      queryKey: [...channelQueries.all(), "list"],
      queryFn: ({ signal }) => call(channelEndpoints.list, {}, { signal }),
    }),

  messages: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...channelQueries.all(), "messages", id],
      queryFn: ({ signal, pageParam }) =>
        call(channelEndpoints.listMessages, { params: { id }, query: { limit: messagePageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),

  watches: (id: string) =>
    queryOptions({
      queryKey: [...channelQueries.all(), "watches", id],
      queryFn: ({ signal }) => call(channelEndpoints.listWatches, { params: { id } }, { signal }),
      refetchInterval: lookMs,
    }),
};
