import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { runEndpoints } from "@/contracts/browser/runs/runs";

const listPageSize = 25;
const messagePageSize = 200;
/** Interval at which a list with open runs is read. */
const pollMs = 5_000;

export const runQueries = {
  all: () => ["runs"] as const,

  one: (id: string) =>
    queryOptions({
      queryKey: [...runQueries.all(), "one", id],
      queryFn: ({ signal }) => call(runEndpoints.get, { params: { id } }, { signal }),
    }),

  messages: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...runQueries.all(), "messages", id],
      queryFn: ({ signal, pageParam }) =>
        call(runEndpoints.messages, { params: { id }, query: { limit: messagePageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  ofAgent: (agentId: string) =>
    infiniteQueryOptions({
      queryKey: [...runQueries.all(), "agent", agentId],
      queryFn: ({ signal, pageParam }) =>
        call(runEndpoints.list, { query: { agentId, limit: listPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ items }) => items.some(({ finishedAt }) => finishedAt === null)) ? pollMs : false,
    }),

  /** The run that submitted a turn; null when none did. */
  ofTurn: (turnId: string) =>
    queryOptions({
      queryKey: [...runQueries.all(), "turn", turnId],
      queryFn: async ({ signal }) => (await call(runEndpoints.list, { query: { turnId, limit: 1 } }, { signal })).items[0] ?? null,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  usage: (agentId: string, days: number) =>
    queryOptions({
      queryKey: [...runQueries.all(), "usage", agentId, days],
      queryFn: ({ signal }) => call(runEndpoints.usage, { params: { id: agentId }, query: { days } }, { signal }),
    }),
};
