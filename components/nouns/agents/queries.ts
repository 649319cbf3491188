import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { agentEndpoints } from "@/contracts/browser/agents/agents";

export const maxAgents = 200;
const versionPageSize = 50;

export const agentQueries = {
  all: () => ["agents"] as const,

  list: () =>
    queryOptions({
      queryKey: [...agentQueries.all(), "list"],
      queryFn: ({ signal }) => call(agentEndpoints.list, { query: { limit: maxAgents } }, { signal }),
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...agentQueries.all(), "one", id],
      queryFn: ({ signal }) => call(agentEndpoints.get, { params: { id } }, { signal }),
    }),

  versions: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...agentQueries.all(), "versions", id],
      queryFn: ({ signal, pageParam }) =>
        call(agentEndpoints.versions, { params: { id }, query: { limit: versionPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  /** One version with what differs from the version before it, or from the agent of now. */
  version: (id: string, version: number, against: "previous" | "current") =>
    queryOptions({
      queryKey: [...agentQueries.all(), "version", id, version, against],
      queryFn: ({ signal }) => call(agentEndpoints.version, { params: { id, version }, query: { against } }, { signal }),
    }),

  /** Names of the ticked tools; an empty list means all enabled tools. */
  tools: (id: string) =>
    queryOptions({
      queryKey: [...agentQueries.all(), "tools", id],
      queryFn: ({ signal }) => call(agentEndpoints.getTools, { params: { id } }, { signal }),
    }),

  /** Tools and tokens of the agent for a selection of tools. */
  preview: (id: string, tools: readonly string[]) =>
    queryOptions({
      queryKey: [...agentQueries.all(), "preview", id, tools],
      queryFn: ({ signal }) => call(agentEndpoints.previewTools, { params: { id }, body: { tools: [...tools] } }, { signal }),
      placeholderData: keepPreviousData,
      gcTime: 60_000,
    }),
};
