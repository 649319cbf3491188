import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { delegationEndpoints } from "@/contracts/browser/agents/delegation";

const pollMs = 5_000;

export const delegationQueries = {
  settings: () =>
    queryOptions({ queryKey: ["delegation", "settings"], queryFn: ({ signal }) => call(delegationEndpoints.get, {}, { signal }) }),

  /** Parent and children of a conversation; asked again while a child is at work. */
  ofConversation: (id: string) =>
    queryOptions({
      queryKey: ["delegation", "conversation", id],
      queryFn: ({ signal }) => call(delegationEndpoints.ofConversation, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data?.children.some(({ finishedAt }) => finishedAt === null) ? pollMs : false),
    }),
};
