import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type ApprovalFilter, approvalEndpoints } from "@/contracts/approvals";

/** Events keep these queries current; this is what stands behind them when an event is lost. */
const slowPollMs = 30_000;
const pageSize = 50;
/** As many as the API gives at once; an inbox longer than this shows the newest. */
export const mostPending = 200;

export const approvalQueries = {
  all: () => ["approvals"] as const,

  /** How many wait. Its own small answer, because every screen shows it. */
  pendingCount: () =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "pendingCount"],
      queryFn: async ({ signal }) => {
        const { total, items } = await call(approvalEndpoints.list, { query: { status: "pending", limit: 1 } }, { signal });
        return total ?? items.length;
      },
      refetchInterval: slowPollMs,
    }),

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
        call(approvalEndpoints.list, { query: { ...filter, limit: pageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...approvalQueries.all(), "one", id],
      queryFn: ({ signal }) => call(approvalEndpoints.get, { params: { id } }, { signal }),
    }),
};
