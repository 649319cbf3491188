import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type DeliveryFilter, type WebhookDelivery, webhookEndpoints } from "@/contracts/webhooks";
import { isOnItsWay } from "./on-its-way";

/** All webhooks at once: they are one list that a person reads. */
export const mostWebhooks = 200;
export const deliveryPageSize = 50;

const whileSendingMs = 2_000;
const otherwiseMs = 15_000;
/** Soon again until something is known of each first try. */
const nextLookMs = (deliveries: readonly (WebhookDelivery | null)[]) =>
  deliveries.some((delivery) => delivery !== null && isOnItsWay(delivery)) ? whileSendingMs : otherwiseMs;

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
      // Whoever has read further down is not pulled back by what is new.
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
