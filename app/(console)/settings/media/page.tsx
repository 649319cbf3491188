import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { MediaView } from "@/components/nouns/media/media-view";
import { mediaQueries } from "@/components/nouns/media/queries";
import { providerResource } from "@/components/nouns/models/queries";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { getMediaSettings } from "@/server/families/media/settings/media-settings";
import { listProviders } from "@/server/models/list-providers";

export const metadata: Metadata = { title: "Media" };

export default async function MediaPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  const modelReader = actor.permissions.has("models:read") ? requirePermission(actor, "models:read") : null;
  await Promise.all([
    cache.prefetchQuery({ ...mediaQueries.get(), queryFn: () => getMediaSettings(actor) }),
    modelReader && cache.prefetchQuery({ ...providerResource.list(), queryFn: () => listProviders(modelReader) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <MediaView />
    </HydrationBoundary>
  );
}
