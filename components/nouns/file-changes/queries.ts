import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { fileChangeEndpoints } from "@/contracts/browser/turns/file-changes";

const pageSize = 50;
/** Poll interval while the turn runs, because changes have no event of their own. */
const whileRunningMs = 5_000;

export const fileChangeQueries = {
  all: () => ["file-changes"] as const,

  /** Changes of one turn, or of its whole conversation when `turnId` is null. */
  list: (conversationId: string, { turnId, isRunning }: { turnId: string | null; isRunning: boolean }) =>
    infiniteQueryOptions({
      queryKey: [...fileChangeQueries.all(), "list", conversationId, turnId],
      queryFn: ({ signal, pageParam }) =>
        call(
          fileChangeEndpoints.list,
          { params: { id: conversationId }, query: { limit: pageSize, cursor: pageParam, turnId: turnId ?? undefined } },
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: isRunning ? whileRunningMs : false,
    }),

  one: (conversationId: string, changeId: string) =>
    queryOptions({
      queryKey: [...fileChangeQueries.all(), "one", conversationId, changeId],
      queryFn: ({ signal }) => call(fileChangeEndpoints.get, { params: { id: conversationId, changeId } }, { signal }),
      // The file may change at any moment, and a decision rests on this comparison.
      staleTime: 0,
    }),
};
