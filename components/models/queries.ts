import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { modelEndpoints } from "@/contracts/browser/models";

export const modelQueries = {
  all: () => ["model-providers"] as const,

  list: () =>
    queryOptions({
      queryKey: [...modelQueries.all(), "list"],
      queryFn: ({ signal }) => call(modelEndpoints.list, {}, { signal }),
    }),

  local: () =>
    queryOptions({
      queryKey: [...modelQueries.all(), "local"],
      queryFn: ({ signal }) => call(modelEndpoints.listLocal, {}, { signal }),
      staleTime: 30_000,
    }),
};
