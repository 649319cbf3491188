import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { defineResource } from "@/components/kit/resources/define-resource";
import { knowledgeEndpoints } from "@/contracts/browser/knowledge/knowledge";
import { knowledgeTransformationEndpoints } from "@/contracts/browser/knowledge/knowledge-transformations";

/** Milliseconds between two looks at sources that are being read. */
export const readingPollMs = 1_000;

export const baseResource = defineResource({
  key: "knowledge-bases",
  noun: "knowledge base",
  endpoints: knowledgeEndpoints,
  isPaged: true,
  pollMs: (rows) =>
    rows.some(({ unread, embedded, embeddable, embeddingFault }) => unread > 0 || (embedded < embeddable && embeddingFault === null))
      ? readingPollMs
      : 0,
  toDraft: ({ name, description, mode, agents, writerAgentId, watchedFolder, embeddingModel }) => ({
    ...{ name, description, mode, agents, writerAgentId, watchedFolder, embeddingModel },
  }),
});

export type PageFilter = "all" | "stale" | "broken" | "archived";
const filterQuery: Record<PageFilter, object> = {
  all: {},
  stale: { stale: "true" },
  broken: { broken: "true" },
  archived: { archived: "true" },
};

const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
};

export const knowledgeQueries = {
  of: (baseId: string) => ["knowledge", baseId] as const,
  base: (id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "base"],
      queryFn: ({ signal }) => call(knowledgeEndpoints.get, { params: { id } }, { signal }),
    }),
  sources: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...knowledgeQueries.of(id), "sources"],
      queryFn: ({ signal, pageParam }) =>
        call(knowledgeEndpoints.listSources, { params: { id }, query: { limit: maxPageSize, cursor: pageParam } }, { signal }),
      ...byCursor,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ items }) => items.some(({ state }) => state === "pending" || state === "processing"))
          ? readingPollMs
          : false,
    }),
  pages: (id: string, filter: PageFilter) =>
    infiniteQueryOptions({
      queryKey: [...knowledgeQueries.of(id), "pages", filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          knowledgeEndpoints.listPages,
          { params: { id }, query: { limit: maxPageSize, cursor: pageParam, ...filterQuery[filter] } },
          { signal },
        ),
      ...byCursor,
    }),
  /** Sources and pages on which a transformation may run. */
  subjects: (id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "subjects"],
      queryFn: async ({ signal }) => {
        const [sources, pages] = await Promise.all([
          everyPage((page) => call(knowledgeEndpoints.listSources, { params: { id }, query: page }, { signal })),
          everyPage((page) => call(knowledgeEndpoints.listPages, { params: { id }, query: page }, { signal })),
        ]);
        return { sources: sources.filter(({ state }) => state === "completed" || state === "partial"), pages };
      },
    }),
  page: (baseId: string, id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(baseId), "page", id],
      queryFn: ({ signal }) => call(knowledgeEndpoints.getPage, { params: { id } }, { signal }),
    }),
  versions: (baseId: string, id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(baseId), "versions", id],
      queryFn: ({ signal }) => call(knowledgeEndpoints.listPageVersions, { params: { id } }, { signal }),
    }),
  /** `overview` or `log`, which lists of pages leave out. */
  systemPage: (id: string, slug: "overview" | "log") =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "system", slug],
      queryFn: ({ signal }) => call(knowledgeEndpoints.listPages, { params: { id }, query: { slug } }, { signal }),
    }),
  transformations: (id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "transformations"],
      queryFn: ({ signal }) => call(knowledgeTransformationEndpoints.list, { params: { id } }, { signal }),
    }),
  transformationRuns: (baseId: string, id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(baseId), "transformation-runs", id],
      queryFn: ({ signal }) => call(knowledgeTransformationEndpoints.listRuns, { params: { id } }, { signal }),
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ state }) => state === "queued" || state === "running") ? readingPollMs : false,
    }),
  search: (id: string, query: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "search", query],
      queryFn: ({ signal }) => call(knowledgeEndpoints.search, { params: { id }, query: { query } }, { signal }),
      enabled: query.trim() !== "",
    }),
  graph: (id: string) =>
    queryOptions({
      queryKey: [...knowledgeQueries.of(id), "graph"],
      queryFn: ({ signal }) => call(knowledgeEndpoints.graph, { params: { id } }, { signal }),
    }),
  part: (id: string, number: number) =>
    queryOptions({
      queryKey: ["knowledge-source", id, number],
      queryFn: ({ signal }) => call(knowledgeEndpoints.getPart, { params: { id, number } }, { signal }),
    }),
};
