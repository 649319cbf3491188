import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { MessengersView } from "@/components/nouns/messengers/messengers-view";
import { messengerResource } from "@/components/nouns/messengers/queries";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { messengers } from "@/server/families/messengers/messengers";

export const metadata: Metadata = { title: "Messengers" };

export default async function MessengersPage() {
  const actor = await pageActor("tools:read");
  const reader = actor.permissions.has("messengers:read") ? requirePermission(actor, "messengers:read") : null;
  const cache = queryClient();
  if (reader)
    await cache.prefetchQuery({
      ...messengerResource.list(),
      queryFn: () => messengers.list({ actor: reader, query: { limit: maxPageSize } }),
    });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <MessengersView />
    </HydrationBoundary>
  );
}
