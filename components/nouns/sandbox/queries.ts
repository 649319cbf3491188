import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { sandboxEndpoints } from "@/contracts/browser/guard/sandbox";

export const sandboxQueries = {
  /** Status of the sandbox; only a restart changes it. */
  status: () =>
    queryOptions({
      queryKey: ["sandbox"],
      queryFn: ({ signal }) => call(sandboxEndpoints.status, {}, { signal }),
      staleTime: 5 * 60_000,
    }),
};
