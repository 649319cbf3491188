import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { instructionsName, toolChangeEndpoints } from "@/contracts/browser/tools/tool-changes";

/** Changes shown in the inbox at a time; the next follow when these are decided. */
export const pendingShown = 50;

export const toolChangeQueries = {
  /** Prefix below the approvals', so that their events refresh these lists too. */
  all: () => ["approvals", "tool-changes"] as const,

  pending: () =>
    queryOptions({
      queryKey: [...toolChangeQueries.all(), "pending"],
      queryFn: ({ signal }) => call(toolChangeEndpoints.list, { query: { status: "pending", limit: pendingShown } }, { signal }),
    }),

  /** Changes of a server's instructions; the newest 50 hold the current one. */
  ofInstructions: (serverId: string) =>
    queryOptions({
      queryKey: [...toolChangeQueries.all(), "instructions", serverId],
      queryFn: ({ signal }) =>
        call(toolChangeEndpoints.list, { query: { serverId, tool: instructionsName, limit: pendingShown } }, { signal }),
    }),
};
