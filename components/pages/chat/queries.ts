import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { conversationEndpoints, type ToolFormat } from "@/contracts/browser/conversations/conversations";
import { type ChatFilter, chatEndpoints } from "@/contracts/browser/runs/chats";
import { turnEndpoints } from "@/contracts/browser/turns/turns";

export const chatPageSize = 40;
/** Runs of a conversation that are read at once; older ones on request. */
export const runPageSize = 15;
/** Turns that are read at once, so that the calls of a page are no request each. */
const turnPageSize = 60;

/** Intervals at which the list and the last run are read, because others may write to a conversation too. */
const listPollMs = 15_000;

export const chatQueries = {
  all: () => ["chats"] as const,

  list: (filter: ChatFilter) =>
    infiniteQueryOptions({
      queryKey: [...chatQueries.all(), "list", filter],
      queryFn: ({ signal, pageParam }) =>
        call(chatEndpoints.list, { query: { ...filter, limit: chatPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: listPollMs,
      placeholderData: keepPreviousData,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...chatQueries.all(), "one", id],
      queryFn: ({ signal }) => call(chatEndpoints.get, { params: { id } }, { signal }),
    }),

  /** Runs of a conversation with their messages, newest first. */
  runs: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...chatQueries.all(), "runs", id],
      queryFn: ({ signal, pageParam }) =>
        call(chatEndpoints.runs, { params: { id }, query: { limit: runPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  /** The last run alone, to see what other tabs and people do. */
  lastRun: (id: string) =>
    queryOptions({
      queryKey: [...chatQueries.all(), "last run", id],
      queryFn: async ({ signal }) => (await call(chatEndpoints.runs, { params: { id }, query: { limit: 1 } }, { signal })).items[0] ?? null,
      staleTime: 0,
    }),

  turns: (id: string) =>
    queryOptions({
      queryKey: [...chatQueries.all(), "turns", id],
      queryFn: async ({ signal }) =>
        (await call(turnEndpoints.listOfConversation, { params: { id }, query: { limit: turnPageSize } }, { signal })).items,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  shownTools: (id: string, format: ToolFormat) =>
    queryOptions({
      queryKey: [...chatQueries.all(), "shown tools", id, format],
      queryFn: ({ signal }) => call(conversationEndpoints.tools, { params: { id }, query: { format } }, { signal }),
      staleTime: 0,
    }),
};
