import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/api/query-client";
import { GuardView } from "@/components/guard/guard-view";
import { guardQueries } from "@/components/guard/queries";
import { guardSearch } from "@/components/guard/search-params";
import { toolQueries } from "@/components/tools/queries";
import { PageHeader } from "@/components/ui/page-header";
import { demand } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { getConfig } from "@/server/guard/rules/guard-config";
import { listRules } from "@/server/guard/rules/list-rules";
import { listVersions } from "@/server/guard/versions/list-versions";
import { listTools } from "@/server/tools/list-tools";

export const metadata: Metadata = { title: "Guard" };

const search = createLoader(guardSearch);

export default async function GuardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("guard:read");
  const { tab } = await search(searchParams);
  const cache = queryClient();
  const everything = { limit: Number.MAX_SAFE_INTEGER };
  await Promise.all([
    cache.prefetchQuery({ ...guardQueries.config(), queryFn: () => getConfig(actor) }),
    cache.prefetchQuery({ ...guardQueries.rules(), queryFn: async () => (await listRules(actor, everything)).items }),
    cache.prefetchQuery({
      ...toolQueries.list(),
      queryFn: async () => (await listTools(demand(actor, "tools:read"), everything)).items,
    }),
    tab === "versions" ? cache.prefetchInfiniteQuery({ ...guardQueries.versions(), queryFn: () => listVersions(actor) }) : null,
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader
        title="Guard"
        description="Every call is decided here before it runs: the stricter of what detectors find in it and what the first matching rule says counts."
      />
      <GuardView />
    </HydrationBoundary>
  );
}
