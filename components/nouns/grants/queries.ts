import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type GrantFilter, grantEndpoints } from "@/contracts/browser/guard/grants";

export const grantPageSize = 50;

export const grantQueries = {
  all: () => ["grants"] as const,

  list: (filter: GrantFilter) =>
    infiniteQueryOptions({
      queryKey: [...grantQueries.all(), "list", filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          grantEndpoints.list,
          { query: { limit: grantPageSize, cursor: pageParam, ...(filter.active ? { active: "true" } : {}) } },
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
};
