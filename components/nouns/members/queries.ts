import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { identityEndpoints } from "@/contracts/browser/identity/identity";

export const memberQueries = {
  list: () =>
    queryOptions({
      queryKey: ["users"],
      queryFn: ({ signal }) => call(identityEndpoints.listUsers, { query: { limit: maxPageSize } }, { signal }),
    }),
};
