import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { dataSourceEndpoints } from "@/contracts/browser/data-sources";

/** Limit of a list with all data sources, because people read them as one list. */
export const mostDataSources = 200;

export const dataSourceQueries = {
  all: () => ["data-sources"] as const,

  list: () =>
    queryOptions({
      queryKey: [...dataSourceQueries.all(), "list"],
      queryFn: ({ signal }) => call(dataSourceEndpoints.list, { query: { limit: mostDataSources } }, { signal }),
    }),
};
