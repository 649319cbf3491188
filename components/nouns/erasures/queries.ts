import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import type { Erasure } from "@/contracts/audit/erasures";
import { erasureEndpoints } from "@/contracts/browser/audit/erasures";

/** A contact or a member whose data is exported or erased. */
export type ErasurePerson = { kind: "contact" | "member"; personId: string };

/** Interval in which a running erasure is read again. */
const lookMs = 500;

export const erasureQueries = {
  all: () => ["erasures"] as const,

  plan: (person: ErasurePerson) =>
    queryOptions({
      queryKey: [...erasureQueries.all(), "plan", person],
      queryFn: ({ signal }) => call(erasureEndpoints.plan, { query: person }, { signal }),
      staleTime: 0,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...erasureQueries.all(), id],
      queryFn: ({ signal }): Promise<Erasure> => call(erasureEndpoints.get, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data?.status === "done" ? false : lookMs),
    }),
};
