import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type ApprovalFilter, approvalEndpoints } from "@/contracts/approvals";

/** Events keep these queries current; this is what stands behind them when an event is lost. */
const slowPollMs = 30_000;
export const historyPageSize = 50;
/** As many as the API gives at once; an inbox longer than this shows the newest. */
export const mostPending = 200;

export const approvalQueries = {
  /** The number in the navigation (`shell/pending-count.tsx`) stands below it too. */
  all: () => ["approvals"] as const,

  pending: () =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "pending"],
      queryFn: ({ signal }) => call(approvalEndpoints.list, { query: { status: "pending", limit: mostPending } }, { signal }),
      refetchInterval: slowPollMs,
    }),

  history: (filter: ApprovalFilter) =>
    infiniteQueryOptions({
      queryKey: [...approvalQueries.all(), "history", filter],
      queryFn: ({ signal, pageParam }) =>
        call(approvalEndpoints.list, { query: { ...filter, limit: historyPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "one", id],
      queryFn: ({ signal }) => call(approvalEndpoints.get, { params: { id } }, { signal }),
    }),
};
