import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { ModelsView } from "@/components/nouns/models/models-view";
import { providerResource } from "@/components/nouns/models/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listProviders } from "@/server/models/list-providers";

export const metadata: Metadata = { title: "Models" };

export default async function ModelsPage() {
  const actor = await pageActor("models:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...providerResource.list(), queryFn: () => listProviders(actor) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ModelsView />
    </HydrationBoundary>
  );
}
