import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { type Skill, skillEndpoints } from "@/contracts/browser/skills/skills";

const pageSize = 50;

export const skillQueries = {
  all: () => ["skills"] as const,

  list: ({ query, state }: { query: string; state: Skill["state"] | null }) =>
    infiniteQueryOptions({
      queryKey: [...skillQueries.all(), "list", query, state],
      queryFn: ({ signal, pageParam }) =>
        call(
          skillEndpoints.list,
          { query: { query: query || undefined, state: state ?? undefined, limit: pageSize, cursor: pageParam } },
          { signal },
        ),
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

  versions: (id: string, version: number) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "versions", id, version],
      queryFn: ({ signal }) => call(skillEndpoints.versions, { params: { id } }, { signal }),
    }),

  /** All skills of the workspace, to choose from. */
  every: () =>
    queryOptions({
      queryKey: [...skillQueries.all(), "every"],
      queryFn: ({ signal }) => everyPage((query) => call(skillEndpoints.list, { query }, { signal })),
    }),

  boundTo: (agentId: string) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "bound", agentId],
      queryFn: ({ signal }) => call(skillEndpoints.ofAgent, { params: { id: agentId } }, { signal }),
    }),

  /** Ready skills of an agent whose words fit, for the picker of the chat. */
  ofAgent: (agentId: string, query: string) =>
    queryOptions({
      queryKey: [...skillQueries.all(), "of", agentId, query],
      queryFn: ({ signal }) => call(skillEndpoints.list, { query: { agentId, query: query || undefined, limit: 8 } }, { signal }),
    }),
};
