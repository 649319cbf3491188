import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type DeliveryFilter, type WebhookDelivery, webhookEndpoints } from "@/contracts/browser/webhooks";
import { isInFlight } from "./is-in-flight";

/** Limit of a list with all webhooks, because people read them as one list. */
export const mostWebhooks = 200;
export const deliveryPageSize = 50;

const whileSendingMs = 2_000;
const otherwiseMs = 15_000;
/** Returns a short poll interval while a first attempt has no result yet. */
const nextLookMs = (deliveries: readonly (WebhookDelivery | null)[]) =>
  deliveries.some((delivery) => delivery !== null && isInFlight(delivery)) ? whileSendingMs : otherwiseMs;

export const webhookQueries = {
  all: () => ["webhooks"] as const,

  list: () =>
    queryOptions({
      queryKey: [...webhookQueries.all(), "list"],
      queryFn: ({ signal }) => call(webhookEndpoints.list, { query: { limit: mostWebhooks } }, { signal }),
      refetchInterval: ({ state }) => nextLookMs(state.data?.items.map(({ lastDelivery }) => lastDelivery) ?? []),
    }),

  deliveries: (filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: [...webhookQueries.all(), "deliveries", filter],
      queryFn: ({ signal, pageParam }) =>
        call(webhookEndpoints.listDeliveries, { query: { ...filter, limit: deliveryPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? nextLookMs(state.data.pages.flatMap(({ items }) => items)) : false),
    }),

  delivery: (id: string) =>
    queryOptions({
      queryKey: [...webhookQueries.all(), "delivery", id],
      queryFn: ({ signal }) => call(webhookEndpoints.getDelivery, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data ? nextLookMs([state.data]) : false),
    }),

  callbackSecret: () =>
    queryOptions({
      queryKey: [...webhookQueries.all(), "callback-secret"],
      queryFn: ({ signal }) => call(webhookEndpoints.callbackSecret, {}, { signal }),
    }),
};
