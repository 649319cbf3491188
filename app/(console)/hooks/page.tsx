import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { HooksView } from "@/components/nouns/hooks/hooks-view";
import { hookQueries, hookResource, hookRunPageSize } from "@/components/nouns/hooks/queries";
import { hookSearch, toRunFilter } from "@/components/nouns/hooks/search-params";
import { pageActor } from "@/server/auth/page-actor";
import { listHookRuns } from "@/server/families/hooks/list-hook-runs";
import { listHooks } from "@/server/families/hooks/list-hooks";

export const metadata: Metadata = { title: "Hooks" };

const search = createLoader(hookSearch);

export default async function HooksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("guard:read");
  const asked = await search(searchParams);
  const filter = toRunFilter(asked);
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({ ...hookResource.list(), queryFn: () => listHooks(actor, { limit: maxPageSize }) }),
    asked.tab === "runs"
      ? cache.prefetchInfiniteQuery({
          ...hookQueries.runs(filter),
          queryFn: () => listHookRuns(actor, { ...filter, limit: hookRunPageSize }),
        })
      : null,
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <HooksView />
    </HydrationBoundary>
  );
}
