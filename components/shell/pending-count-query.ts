import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { approvalEndpoints } from "@/contracts/browser/approvals";

const pollSeconds = 20;

/** Number of pending approvals. Below `approvals`, so that a refresh of that list refreshes the number too. */
export const pendingCountQuery = queryOptions({
  queryKey: ["approvals", "pending-count"],
  queryFn: ({ signal }) => call(approvalEndpoints.inbox, { query: { status: "pending", limit: 1 } }, { signal }),
  select: ({ total, items }) => total ?? items.length,
  refetchInterval: pollSeconds * 1_000,
});
