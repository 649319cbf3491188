import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { guardQueries } from "@/components/nouns/guard/queries";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { sandboxQueries } from "@/components/nouns/sandbox/queries";
import { Overview } from "@/components/pages/overview/overview";
import { overviewQueries } from "@/components/pages/overview/queries";
import { RangeChoice } from "@/components/pages/overview/range-choice";
import { overviewSearch } from "@/components/pages/overview/search-params";
import { requirePermission } from "@/server/auth/actor";
import { signedInActor } from "@/server/auth/page-actor";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { listServers } from "@/server/mcp/connect/servers/list-servers";
import { getOverview } from "@/server/overview/get-overview";
import { env } from "@/server/platform/env";
import { getConfig } from "@/server/policy/rules/guard-config";
import { listRules } from "@/server/policy/rules/list-rules";

export const metadata: Metadata = { title: "Overview" };

const search = createLoader(overviewSearch);

export default async function OverviewPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await signedInActor();
  const { range } = await search(searchParams);
  const guardReader = requirePermission(actor, "guard:read");
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({ ...overviewQueries.get(range), queryFn: () => getOverview(requirePermission(actor, "audit:read"), range) }),
    cache.prefetchQuery({
      ...serverQueries.list(),
      queryFn: () => listServers(requirePermission(actor, "tools:read"), { limit: Number.MAX_SAFE_INTEGER }),
    }),
    cache.prefetchQuery({ ...sandboxQueries.status(), queryFn: () => sandboxStatus() }),
    cache.prefetchQuery({ ...guardQueries.config(), queryFn: () => getConfig(guardReader) }),
    cache.prefetchQuery({
      ...guardQueries.rules(),
      queryFn: async () => (await listRules(guardReader, { limit: Number.MAX_SAFE_INTEGER })).items,
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Overview">
        <RangeChoice />
      </PageHeader>
      <Overview publicUrl={env().publicUrl} />
    </HydrationBoundary>
  );
}
