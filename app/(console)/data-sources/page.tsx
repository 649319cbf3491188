import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { DataSourcesView } from "@/components/nouns/data-sources/data-sources-view";
import { dataSourceResource } from "@/components/nouns/data-sources/queries";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { dataSources } from "@/server/families/data-sources/data-sources";

export const metadata: Metadata = { title: "Data sources" };

export default async function DataSourcesPage() {
  const actor = await pageActor("tools:read");
  const writer = actor.permissions.has("data:write") ? requirePermission(actor, "data:write") : null;
  const cache = queryClient();
  if (writer)
    await cache.prefetchQuery({
      ...dataSourceResource.list(),
      queryFn: () => dataSources.list({ actor: writer, query: { limit: maxPageSize } }),
    });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <DataSourcesView />
    </HydrationBoundary>
  );
}
