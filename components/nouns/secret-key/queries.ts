import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { secretKeyEndpoints } from "@/contracts/browser/operations/secret-key";

export const secretKeyQueries = {
  /** Whether stored secrets can be opened. */
  status: () =>
    queryOptions({
      queryKey: ["secret-key"],
      queryFn: ({ signal }) => call(secretKeyEndpoints.status, {}, { signal }),
      staleTime: 60_000,
    }),
};
