import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { ArtifactsView } from "@/components/nouns/artifacts/artifacts-view";
import { artifactPageSize, artifactQueries } from "@/components/nouns/artifacts/queries";
import { artifactSearch, toArtifactFilter } from "@/components/nouns/artifacts/search-params";
import { TurnPages } from "@/components/pages/turn/turn-pages";
import { pageActor } from "@/server/auth/page-actor";
import { listArtifacts } from "@/server/conversations/list-artifacts";

export const metadata: Metadata = { title: "Artifacts" };

const search = createLoader(artifactSearch);

export default async function ArtifactsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("turns:read");
  const filter = toArtifactFilter(await search(searchParams));
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({
    ...artifactQueries.list(filter),
    queryFn: () => listArtifacts(actor, { ...filter, limit: artifactPageSize }),
  });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Turns" description="Files of calls, and results too long for the model. Kept as long as their conversation." />
      <TurnPages here="artifacts" />
      <ArtifactsView />
    </HydrationBoundary>
  );
}
