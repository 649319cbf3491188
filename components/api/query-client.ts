import { isServer, QueryClient, type QueryClientConfig } from "@tanstack/react-query";
import { isApiProblem } from "./api-problem";

/** Seconds that fetched data counts as fresh: a page hydrated from the server does not fetch it again at once. */
const staleSeconds = 30;
const retries = 2;

/** A new cache. A server page makes one a request and prefetches into it; the browser has one, made by the provider. */
export function queryClient(config: Pick<QueryClientConfig, "queryCache" | "mutationCache"> = {}): QueryClient {
  return new QueryClient({
    ...config,
    defaultOptions: {
      queries: {
        staleTime: staleSeconds * 1_000,
        // A refusal stays one however often it is asked; a server that is away may come back.
        retry: (failures, error) => !isServer && failures < retries && !(isApiProblem(error) && error.problem.status < 500),
      },
    },
  });
}
