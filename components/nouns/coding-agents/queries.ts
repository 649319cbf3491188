import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { codingAgentEndpoints } from "@/contracts/browser/coding-agents";

/** Sessions on one page of the list. */
export const sessionPageSize = 50;

/** Interval in milliseconds in which the list is read again, because calls wait for people. */
const readAgainMs = 5_000;

export const codingAgentQueries = {
  sessions: () =>
    infiniteQueryOptions({
      queryKey: ["coding-agents", "sessions"],
      queryFn: ({ signal, pageParam }) =>
        call(codingAgentEndpoints.listSessions, { query: { limit: sessionPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: readAgainMs,
    }),
};
