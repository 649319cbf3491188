import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/api/query-client";
import { turnPageSize, turnQueries } from "@/components/turns/queries";
import { turnSearch } from "@/components/turns/search-params";
import { TurnPages } from "@/components/turns/turn-pages";
import { TurnsView } from "@/components/turns/turns-view";
import { PageHeader } from "@/components/ui/page-header";
import { TurnFilter } from "@/contracts/turns";
import { pageActor } from "@/server/auth/page-actor";
import { listRecentTurns } from "@/server/turns/list-recent-turns";

export const metadata: Metadata = { title: "Turns" };

const search = createLoader(turnSearch);

export default async function TurnsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("turns:read");
  const { status, conversation } = await search(searchParams);
  const filter = { ...(status ? { status } : {}), ...(conversation ? { conversationId: conversation } : {}) };
  const cache = queryClient();
  // An address that a person mistyped is answered by the browser's own request, with what is wrong with it.
  if (TurnFilter.safeParse(filter).success) {
    await cache.prefetchInfiniteQuery({
      ...turnQueries.recent(filter),
      queryFn: () => listRecentTurns(actor, { ...filter, limit: turnPageSize }),
    });
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Turns" description="The tool calls of one model reply, submitted together, and what became of each." />
      <TurnPages here="turns" />
      <TurnsView />
    </HydrationBoundary>
  );
}
