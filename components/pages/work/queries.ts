import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { workEndpoints } from "@/contracts/browser/operations/work";

const pollMs = 5_000;

export const workQueries = {
  all: () => ["work"] as const,

  queues: () =>
    queryOptions({
      queryKey: [...workQueries.all(), "queues"],
      queryFn: ({ signal }) => call(workEndpoints.queues, {}, { signal }),
      refetchInterval: pollMs,
    }),

  failed: () =>
    queryOptions({
      queryKey: [...workQueries.all(), "failed"],
      queryFn: ({ signal }) => call(workEndpoints.failed, {}, { signal }),
      refetchInterval: pollMs,
    }),
};
