import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { mcpAuthorizationEndpoints } from "@/contracts/browser/mcp/mcp-authorization";
import { mcpContentEndpoints } from "@/contracts/browser/mcp/mcp-contents";
import type { McpConfigFormat } from "@/contracts/browser/mcp/mcp-imports";
import { mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";

const whileConnectingMs = 1_500;
/** Poll interval while nothing connects, because a server may fail or recover at any time. */
const otherwiseMs = 20_000;
const logEveryMs = 5_000;

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

  resources: (id: string, query: string) =>
    infiniteQueryOptions({
      queryKey: [...serverQueries.all(), "resources", id, query],
      queryFn: ({ signal, pageParam }) =>
        call(mcpContentEndpoints.resources, { params: { id }, query: { query, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),

  prompts: (id: string, query: string) =>
    infiniteQueryOptions({
      queryKey: [...serverQueries.all(), "prompts", id, query],
      queryFn: ({ signal, pageParam }) =>
        call(mcpContentEndpoints.prompts, { params: { id }, query: { query, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),

  signIns: (id: string) =>
    queryOptions({
      queryKey: [...serverQueries.all(), "sign-ins", id],
      queryFn: ({ signal }) => call(mcpAuthorizationEndpoints.people, { params: { id } }, { signal }),
    }),

  exported: (format: McpConfigFormat) =>
    queryOptions({
      queryKey: [...serverQueries.all(), "exported", format],
      queryFn: ({ signal }) => call(mcpServerEndpoints.exportConfig, { query: { format } }, { signal }),
    }),

  log: (id: string) =>
    queryOptions({
      queryKey: [...serverQueries.all(), "log", id],
      queryFn: ({ signal }) => call(mcpContentEndpoints.log, { params: { id } }, { signal }),
      refetchInterval: logEveryMs,
    }),
};
