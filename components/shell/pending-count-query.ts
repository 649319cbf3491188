import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { approvalEndpoints } from "@/contracts/approvals";

const pollSeconds = 20;

/** Approvals that wait for somebody. Under `approvals`, so that whatever makes that list fresh makes the number fresh too. */
export const pendingCountQuery = queryOptions({
  queryKey: ["approvals", "pending-count"],
  queryFn: ({ signal }) => call(approvalEndpoints.list, { query: { status: "pending", limit: 1 } }, { signal }),
  select: ({ total, items }) => total ?? items.length,
  refetchInterval: pollSeconds * 1_000,
});
