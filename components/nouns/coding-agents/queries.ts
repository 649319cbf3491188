import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { codingAgentEndpoints, type codingCallStates } from "@/contracts/browser/agents/coding-agents";

/** Sessions on one page of the list. */
export const sessionPageSize = 50;

/** Calls in each list of the page. */
export const shownCalls = 20;

/** Interval in milliseconds in which results of calls are looked for. Requests for approval are pushed. */
const readAgainMs = 5_000;

type CallState = (typeof codingCallStates)[number];

export const codingAgentQueries = {
  all: () => ["coding-agents"] as const,

  sessions: () =>
    infiniteQueryOptions({
      queryKey: [...codingAgentQueries.all(), "sessions"],
      queryFn: ({ signal, pageParam }) =>
        call(codingAgentEndpoints.listSessions, { query: { limit: sessionPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: readAgainMs,
    }),

  calls: (state: CallState) =>
    queryOptions({
      queryKey: [...codingAgentQueries.all(), "calls", state],
      queryFn: ({ signal }) => call(codingAgentEndpoints.listCalls, { query: { state, limit: shownCalls } }, { signal }),
      refetchInterval: readAgainMs,
    }),

  connections: () =>
    queryOptions({
      queryKey: [...codingAgentQueries.all(), "connections"],
      queryFn: ({ signal }) => call(codingAgentEndpoints.listConnections, {}, { signal }),
      refetchInterval: readAgainMs * 6,
    }),
};
