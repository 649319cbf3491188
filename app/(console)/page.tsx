import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/api/query-client";
import { approvalQueries, mostPending } from "@/components/approvals/queries";
import { guardQueries } from "@/components/guard/queries";
import { mostServers, serverQueries } from "@/components/mcp-servers/queries";
import { countCalls } from "@/components/overview/count-calls";
import { Overview } from "@/components/overview/overview";
import { callsOfLastDay, countedPageSize, overviewQueries } from "@/components/overview/queries";
import { turnPageSize, turnQueries } from "@/components/turns/queries";
import { PageHeader } from "@/components/ui/page-header";
import { listApprovals } from "@/server/approvals/list-approvals";
import { listAuditEvents } from "@/server/audit/list-audit-events";
import { demand } from "@/server/auth/actor";
import { signedInActor } from "@/server/auth/page-actor";
import { getConfig } from "@/server/guard/rules/guard-config";
import { listRules } from "@/server/guard/rules/list-rules";
import { listServers } from "@/server/mcp/connect/list-servers";
import { env } from "@/server/platform/env";
import { listRecentTurns } from "@/server/turns/list-recent-turns";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const actor = await signedInActor();
  const guardReader = demand(actor, "guard:read");
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({
      ...approvalQueries.pending(),
      queryFn: () => listApprovals(demand(actor, "approvals:read"), { status: "pending", limit: mostPending }),
    }),
    cache.prefetchQuery({
      ...overviewQueries.calls(),
      queryFn: () => {
        const query = { ...callsOfLastDay(), limit: countedPageSize };
        return countCalls((cursor) => listAuditEvents(demand(actor, "audit:read"), { ...query, cursor }));
      },
    }),
    cache.prefetchQuery({ ...serverQueries.list(), queryFn: () => listServers(demand(actor, "tools:read"), { limit: mostServers }) }),
    cache.prefetchQuery({ ...guardQueries.config(), queryFn: () => getConfig(guardReader) }),
    cache.prefetchQuery({
      ...guardQueries.rules(),
      queryFn: async () => (await listRules(guardReader, { limit: Number.MAX_SAFE_INTEGER })).items,
    }),
    cache.prefetchInfiniteQuery({
      ...turnQueries.recent({}),
      queryFn: () => listRecentTurns(demand(actor, "turns:read"), { limit: turnPageSize }),
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Overview" />
      <Overview publicUrl={env().publicUrl} />
    </HydrationBoundary>
  );
}
