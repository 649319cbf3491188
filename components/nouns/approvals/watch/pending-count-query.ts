import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import { toolChangeEndpoints } from "@/contracts/browser/tools/tool-changes";

const pollSeconds = 20;

/** Number of pending approvals. Below `approvals`, so that a refresh of that list refreshes the number too. */
export const pendingCountQuery = queryOptions({
  queryKey: ["approvals", "pending-count"],
  queryFn: ({ signal }) => call(approvalEndpoints.inbox, { query: { status: "pending", limit: 1 } }, { signal }),
  select: ({ total, items }) => total ?? items.length,
  refetchInterval: pollSeconds * 1_000,
});

/** Number of tool changes that wait for a person. Below `approvals` too, because the inbox shows both. */
export const changeCountQuery = queryOptions({
  queryKey: ["approvals", "tool-changes", "count"],
  queryFn: ({ signal }) => call(toolChangeEndpoints.list, { query: { status: "pending", limit: 1 } }, { signal }),
  select: ({ total, items }) => total ?? items.length,
  refetchInterval: pollSeconds * 1_000,
});
