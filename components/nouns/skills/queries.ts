import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { skillEndpoints } from "@/contracts/browser/skills";

const pageSize = 50;

export const skillQueries = {
  all: () => ["skills"] as const,

  list: ({ query }: { query: string }) =>
    infiniteQueryOptions({
      queryKey: [...skillQueries.all(), "list", query],
      queryFn: ({ signal, pageParam }) =>
        call(skillEndpoints.list, { query: { query: query || undefined, limit: pageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "one", id],
      queryFn: ({ signal }) => call(skillEndpoints.get, { params: { id } }, { signal }),
    }),

  file: (id: string, path: string, version: number) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "file", id, path, version],
      queryFn: ({ signal }) => call(skillEndpoints.readFile, { params: { id }, query: { path } }, { signal }),
    }),

  /** Ready skills of an agent whose words fit, for the picker of the chat. */
  ofAgent: (agentId: string, query: string) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "of", agentId, query],
      queryFn: ({ signal }) => call(skillEndpoints.list, { query: { agentId, query: query || undefined, limit: 8 } }, { signal }),
    }),
};
