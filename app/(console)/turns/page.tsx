import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { turnPageSize, turnQueries } from "@/components/nouns/turns/queries";
import { toTurnFilter, turnSearch } from "@/components/pages/turn/search-params";
import { TurnPages } from "@/components/pages/turn/turn-pages";
import { TurnsView } from "@/components/pages/turn/turns-view";
import { pageActor } from "@/server/auth/page-actor";
import { listRecentTurns } from "@/server/turns/read/list-recent-turns";

export const metadata: Metadata = { title: "Turns" };

const search = createLoader(turnSearch);

export default async function TurnsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("turns:read");
  const filter = toTurnFilter(await search(searchParams));
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({
    ...turnQueries.recent(filter),
    queryFn: () => listRecentTurns(actor, { ...filter, limit: turnPageSize }),
  });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Turns" description="Tool calls of one model reply, submitted together." />
      <TurnPages here="turns" />
      <TurnsView />
    </HydrationBoundary>
  );
}
