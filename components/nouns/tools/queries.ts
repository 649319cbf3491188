import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import { toolEndpoints } from "@/contracts/browser/tools/tools";

export const toolQueries = {
  all: () => ["tools"] as const,

  /** All tools of the workspace, because the page filters in the browser and totals cover a whole section. */
  list: () =>
    queryOptions({
      queryKey: [...toolQueries.all(), "list"],
      queryFn: ({ signal }) => everyPage((query) => call(toolEndpoints.list, { query }, { signal })),
    }),

  /** Calls of a tool in the last 30 days. */
  usage: (name: string) =>
    queryOptions({
      queryKey: ["tool usage", name],
      queryFn: ({ signal }) => call(toolEndpoints.usage, { params: { id: name } }, { signal }),
    }),

  /** The form of a tool at each model provider. */
  formats: (name: string) =>
    queryOptions({
      queryKey: [...toolQueries.all(), "formats", name],
      queryFn: ({ signal }) => call(toolEndpoints.formats, { params: { id: name } }, { signal }),
    }),

  /** One tool by its function name. Not retried, because the tool may have been removed. */
  one: (name: string) =>
    queryOptions({
      queryKey: [...toolQueries.all(), "one", name],
      queryFn: ({ signal }) => call(toolEndpoints.get, { params: { id: name } }, { signal }),
      retry: false,
    }),
};
