import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { mcpServerEndpoints } from "@/contracts/mcp-servers";

/** All servers at once: they are one list that a person reads. */
export const mostServers = 200;
const whileConnectingMs = 1_500;
/** A server may fail, or come back, without anybody touching it. */
const otherwiseMs = 20_000;

export const serverQueries = {
  all: () => ["mcp-servers"] as const,

  list: () =>
    queryOptions({
      queryKey: [...serverQueries.all(), "list"],
      queryFn: ({ signal }) => call(mcpServerEndpoints.list, { query: { limit: mostServers } }, { signal }),
      refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "connecting") ? whileConnectingMs : otherwiseMs),
    }),

  toolsOfAll: () => [...serverQueries.all(), "tools"] as const,

  tools: (id: string) =>
    queryOptions({
      queryKey: [...serverQueries.toolsOfAll(), id],
      queryFn: ({ signal }) => call(mcpServerEndpoints.tools, { params: { id } }, { signal }),
    }),
};
