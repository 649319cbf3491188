import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { longestPage } from "@/components/kit/api/longest-page";
import { identityEndpoints } from "@/contracts/browser/identity/identity";

export const memberQueries = {
  list: () =>
    queryOptions({
      queryKey: ["users"],
      queryFn: ({ signal }) => call(identityEndpoints.listUsers, { query: { limit: longestPage } }, { signal }),
    }),
};
