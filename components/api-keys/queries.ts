import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { longestPage } from "@/components/api/longest-page";
import { identityEndpoints } from "@/contracts/browser/identity";

export const apiKeyQueries = {
  list: () =>
    queryOptions({
      queryKey: ["api-keys"],
      queryFn: ({ signal }) => call(identityEndpoints.listApiKeys, { query: { limit: longestPage } }, { signal }),
    }),
};
