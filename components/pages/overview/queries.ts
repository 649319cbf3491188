import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type OverviewRange, overviewEndpoints } from "@/contracts/browser/operations/overview";

const pollMs = 30_000;

export const overviewQueries = {
  /** Below `approvals`, so that an event about approvals refreshes the overview too. */
  all: () => ["approvals", "overview"] as const,

  get: (range: OverviewRange) =>
    queryOptions({
      queryKey: [...overviewQueries.all(), range],
      queryFn: ({ signal }) => call(overviewEndpoints.get, { query: { range } }, { signal }),
      refetchInterval: pollMs,
    }),
};
