import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { notificationEndpoints } from "@/contracts/browser/notifications/notifications";

const pageSize = 25;
const pollMs = 10_000;

export const notificationQueries = {
  settings: () =>
    queryOptions({
      queryKey: ["notifications", "settings"],
      queryFn: ({ signal }) => call(notificationEndpoints.getSettings, {}, { signal }),
    }),

  devices: () =>
    queryOptions({
      queryKey: ["notifications", "devices"],
      queryFn: ({ signal }) => call(notificationEndpoints.listDevices, { query: { limit: maxPageSize } }, { signal }),
    }),

  log: (problems: boolean) =>
    infiniteQueryOptions({
      queryKey: ["notifications", "log", problems],
      queryFn: ({ signal, pageParam }) =>
        call(
          notificationEndpoints.list,
          { query: { limit: pageSize, cursor: pageParam, ...(problems ? { problems: "true" } : {}) } },
          { signal },
        ),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? pollMs : false),
    }),
};
