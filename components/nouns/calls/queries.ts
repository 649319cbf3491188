import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type CallFilter, callEndpoints } from "@/contracts/browser/calls/calls";

const pageSize = 20;
const pollMs = 15_000;

export const callQueries = {
  recent: (filter: CallFilter) =>
    queryOptions({
      queryKey: ["calls", "recent", filter],
      queryFn: ({ signal }) => call(callEndpoints.list, { query: { ...filter, limit: pageSize } }, { signal }),
      refetchInterval: pollMs,
    }),
};
