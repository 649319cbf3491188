import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { everyPage } from "@/components/api/every-page";
import { mcpServerEndpoints } from "@/contracts/browser/mcp-servers";

const whileConnectingMs = 1_500;
/** Poll interval while nothing connects, because a server may fail or recover at any time. */
const otherwiseMs = 20_000;

export const serverQueries = {
  all: () => ["mcp-servers"] as const,

  /** All servers at once, because the overview counts them and their changes refresh the tools. */
  list: () =>
    queryOptions({
      queryKey: [...serverQueries.all(), "list"],
      queryFn: async ({ signal }) => ({ items: await everyPage((query) => call(mcpServerEndpoints.list, { query }, { signal })) }),
      refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "connecting") ? whileConnectingMs : otherwiseMs),
    }),

  toolsOfAll: () => [...serverQueries.all(), "tools"] as const,

  tools: (id: string) =>
    queryOptions({
      queryKey: [...serverQueries.toolsOfAll(), id],
      queryFn: ({ signal }) => call(mcpServerEndpoints.tools, { params: { id } }, { signal }),
    }),
};
