import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { identityEndpoints } from "@/contracts/browser/identity/identity";

export const apiKeyQueries = {
  list: () =>
    queryOptions({
      queryKey: ["api-keys"],
      queryFn: ({ signal }) => call(identityEndpoints.listApiKeys, { query: { limit: maxPageSize } }, { signal }),
    }),
};
