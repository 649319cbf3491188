import { isServer, QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { isApiProblem } from "./api-problem";

/** Seconds for which fetched data counts as fresh, so that a hydrated page does not fetch again at once. */
const staleSeconds = 30;
const retries = 2;

/** Creates a cache. A server page creates one per request and prefetches; in the browser the provider creates it. */
export function queryClient(config: Pick<QueryClientConfig, "queryCache" | "mutationCache"> = {}): QueryClient {
  return new QueryClient({
    ...config,
    defaultOptions: {
      queries: {
        staleTime: staleSeconds * 1_000,
        // A refusal (status below 500) is final; server and connection errors are retried, because they may pass.
        retry: (failures, error) => !isServer && failures < retries && !(isApiProblem(error) && error.problem.status < 500),
      },
    },
  });
}
