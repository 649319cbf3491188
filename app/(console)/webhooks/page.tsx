import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { deliveryPageSize, webhookQueries, webhookResource } from "@/components/nouns/webhooks/queries";
import { deliverySearch, toDeliveryFilter } from "@/components/nouns/webhooks/search-params";
import { WebhooksView } from "@/components/nouns/webhooks/webhooks-view";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { listDeliveries } from "@/server/families/webhooks/deliveries";
import { webhooks } from "@/server/families/webhooks/webhooks";

export const metadata: Metadata = { title: "Webhooks" };

const search = createLoader(deliverySearch);

export default async function WebhooksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("tools:read");
  const writer = actor.permissions.has("hooks:write") ? requirePermission(actor, "hooks:write") : null;
  const filter = toDeliveryFilter(await search(searchParams));
  const cache = queryClient();
  if (writer) {
    await Promise.all([
      cache.prefetchQuery({ ...webhookResource.list(), queryFn: () => webhooks.list({ actor: writer, query: { limit: maxPageSize } }) }),
      cache.prefetchInfiniteQuery({
        ...webhookQueries.deliveries(filter),
        queryFn: () => listDeliveries(writer, { ...filter, limit: deliveryPageSize }),
      }),
    ]);
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <WebhooksView />
    </HydrationBoundary>
  );
}
