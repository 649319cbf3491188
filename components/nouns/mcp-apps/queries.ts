import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { mcpAppEndpoints } from "@/contracts/browser/mcp/mcp-apps";

export type CallPlace = { id: string; callId: string };

export const mcpAppQueries = {
  /** The app of a call. Read once, because neither the call nor its result changes. */
  one: (params: CallPlace) =>
    queryOptions({
      queryKey: ["mcp app", params.id, params.callId],
      queryFn: ({ signal }) => call(mcpAppEndpoints.get, { params }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
};
