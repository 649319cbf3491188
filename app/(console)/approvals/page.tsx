import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/api/query-client";
import { AlertMenu } from "@/components/approvals/alert-menu";
import { ApprovalsView } from "@/components/approvals/approvals-view";
import { approvalQueries, historyPageSize, mostPending } from "@/components/approvals/queries";
import { approvalSearch } from "@/components/approvals/search-params";
import { grantPageSize, grantQueries } from "@/components/grants/queries";
import { PageHeader } from "@/components/ui/page-header";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { listApprovals } from "@/server/approvals/list-approvals";
import { pageActor } from "@/server/auth/page-actor";

export const metadata: Metadata = { title: "Approvals" };

const search = createLoader(approvalSearch);

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("approvals:read");
  const { tab, status, tool } = await search(searchParams);
  const cache = queryClient();
  if (tab === "pending") {
    await cache.prefetchQuery({
      ...approvalQueries.pending(),
      queryFn: () => listApprovals(actor, { status: "pending", limit: mostPending }),
    });
  } else if (tab === "grants") {
    await cache.prefetchInfiniteQuery({
      ...grantQueries.list({ active: true }),
      queryFn: () => listGrants(actor, { active: true, limit: grantPageSize }),
    });
  } else {
    const filter = { ...(status ? { status } : {}), ...(tool ? { tool } : {}) };
    await cache.prefetchInfiniteQuery({
      ...approvalQueries.history(filter),
      queryFn: () => listApprovals(actor, { ...filter, limit: historyPageSize }),
    });
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Approvals" description="Calls that wait for a person. What you approve is exactly what runs.">
        <AlertMenu />
      </PageHeader>
      <ApprovalsView />
    </HydrationBoundary>
  );
}
