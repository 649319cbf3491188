import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { type DeliveryFilter, type WebhookDelivery, webhookEndpoints } from "@/contracts/browser/hooks/webhooks";
import { isInFlight } from "./deliveries";

export const deliveryPageSize = 50;

const whileSendingMs = 2_000;
const otherwiseMs = 15_000;
/** Returns a short poll interval while a first attempt has no result yet. */
const nextLookMs = (deliveries: readonly (WebhookDelivery | null)[]) =>
  deliveries.some((delivery) => delivery !== null && isInFlight(delivery)) ? whileSendingMs : otherwiseMs;

export const webhookResource = defineResource({
  key: "webhooks",
  noun: "webhook",
  endpoints: webhookEndpoints,
  isPaged: true,
  pollMs: (webhooks) => nextLookMs(webhooks.map(({ lastDelivery }) => lastDelivery)),
  toDraft: ({ name, url, events, enabled }) => ({ name, url, events, enabled }),
});

export const webhookQueries = {
  deliveries: (filter: DeliveryFilter) =>
    infiniteQueryOptions({
      queryKey: [...webhookResource.all(), "deliveries", filter],
      queryFn: ({ signal, pageParam }) =>
        call(webhookEndpoints.listDeliveries, { query: { ...filter, limit: deliveryPageSize, cursor: pageParam } }, { signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      // No polling below the first page, because new rows would move the list under the reader.
      refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? nextLookMs(state.data.pages.flatMap(({ items }) => items)) : false),
    }),

  delivery: (id: string) =>
    queryOptions({
      queryKey: [...webhookResource.all(), "delivery", id],
      queryFn: ({ signal }) => call(webhookEndpoints.getDelivery, { params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data ? nextLookMs([state.data]) : false),
    }),

  callbackSecret: () =>
    queryOptions({
      queryKey: [...webhookResource.all(), "callback-secret"],
      queryFn: ({ signal }) => call(webhookEndpoints.callbackSecret, {}, { signal }),
    }),
};
