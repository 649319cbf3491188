import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { workListEndpoints } from "@/contracts/browser/conversations/work-lists";

/** A model works without anybody here, so the panel looks for itself. */
const lookMs = 10_000;

export const workListQueries = {
  of: (conversationId: string) =>
    queryOptions({
      queryKey: ["work-lists", conversationId],
      queryFn: ({ signal }) => call(workListEndpoints.get, { params: { id: conversationId } }, { signal }),
      refetchInterval: lookMs,
    }),
};
