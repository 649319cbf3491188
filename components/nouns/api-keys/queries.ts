import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { longestPage } from "@/components/kit/api/longest-page";
import { identityEndpoints } from "@/contracts/browser/identity/identity";

export const apiKeyQueries = {
  list: () =>
    queryOptions({
      queryKey: ["api-keys"],
      queryFn: ({ signal }) => call(identityEndpoints.listApiKeys, { query: { limit: longestPage } }, { signal }),
    }),
};
