import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { workflowEndpoints } from "@/contracts/browser/automation/workflows";

const runPageSize = 20;
/** Steps go on without anybody here, so the page looks for itself. */
const lookMs = 3_000;

export const workflowResource = defineResource({ key: "workflows", noun: "workflow", endpoints: workflowEndpoints });

export const workflowQueries = {
  runs: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...workflowResource.all(), "runs", id],
      queryFn: ({ signal, pageParam }) =>
        call(workflowEndpoints.listRuns, { params: { id }, query: { limit: runPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? lookMs : false),
    }),
};
