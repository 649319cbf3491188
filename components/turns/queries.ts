import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { turnEndpoints } from "@/contracts/turns";

/** What stands behind the event stream of a turn that is not finished. */
const slowPollMs = 15_000;

export const turnQueries = {
  all: () => ["turns"] as const,

  one: (id: string) =>
    queryOptions({
      queryKey: [...turnQueries.all(), "one", id],
      queryFn: ({ signal }) => call(turnEndpoints.get, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data?.finishedAt === null ? slowPollMs : false),
    }),
};
