import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { type ContactFilter, contactEndpoints } from "@/contracts/browser/messengers/contacts";

/** People write and become contacts at any time. */
const lookMs = 10_000;

export const contactResource = defineResource({
  key: "contacts",
  noun: "contact",
  endpoints: contactEndpoints,
  toDraft: ({ name, reachableIds, status, notes }) => ({ name, reachableIds, status, notes }),
});

export const contactPageSize = 50;

export const contactQueries = {
  list: (filter: ContactFilter) =>
    infiniteQueryOptions({
      queryKey: [...contactResource.all(), "found", filter],
      queryFn: ({ signal, pageParam }) =>
        call(contactEndpoints.list, { query: { ...filter, limit: contactPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: lookMs,
    }),

  one: (id: string) =>
    queryOptions({
      queryKey: [...contactResource.all(), "one", id],
      queryFn: ({ signal }) => call(contactEndpoints.get, { params: { id } }, { signal }),
      retry: false,
    }),
};
