import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { agentEndpoints } from "@/contracts/agents";

export const mostAgents = 200;

export const agentQueries = {
  all: () => ["agents"] as const,

  list: () =>
    queryOptions({
      queryKey: [...agentQueries.all(), "list"],
      queryFn: ({ signal }) => call(agentEndpoints.list, { query: { limit: mostAgents } }, { signal }),
    }),
};
