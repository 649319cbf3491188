import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { ApprovalsView } from "@/components/nouns/approvals/approvals-view";
import { approvalQueries, historyPageSize, inboxPageSize } from "@/components/nouns/approvals/queries";
import { approvalSearch, toHistoryFilter, toInboxFilter } from "@/components/nouns/approvals/search-params";
import { AlertMenu } from "@/components/nouns/approvals/watch/alert-menu";
import { grantPageSize, grantQueries } from "@/components/nouns/grants/queries";
import { pendingShown, toolChangeQueries } from "@/components/nouns/tool-changes/queries";
import { Id } from "@/contracts/common";
import { getApproval } from "@/server/approvals/get-approval";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { listApprovals } from "@/server/approvals/list-approvals";
import { listGroups } from "@/server/approvals/list-groups";
import { listInbox } from "@/server/approvals/list-inbox";
import { requirePermission } from "@/server/auth/actor";
import { pageActor } from "@/server/auth/page-actor";
import { listToolChanges } from "@/server/tools/pins/list-changes";

export const metadata: Metadata = { title: "Approvals" };

const load = createLoader(approvalSearch);

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("approvals:read");
  const search = await load(searchParams);
  const cache = queryClient();
  const open = Id.safeParse(search.approval);
  if (open.success) {
    await cache.prefetchQuery({ ...approvalQueries.one(open.data), queryFn: () => getApproval(actor, open.data) });
  }
  if (search.tab === "pending") {
    const filter = toInboxFilter(search);
    await cache.prefetchQuery({
      ...toolChangeQueries.pending(),
      queryFn: () => listToolChanges(requirePermission(actor, "tools:read"), { status: "pending", limit: pendingShown }),
    });
    if (search.grouped) {
      await cache.prefetchQuery({ ...approvalQueries.groups(filter), queryFn: () => listGroups(actor, filter) });
    } else {
      await cache.prefetchInfiniteQuery({
        ...approvalQueries.inbox(filter),
        queryFn: () => listInbox(actor, { ...filter, sort: "expires", limit: inboxPageSize }),
      });
    }
  } else if (search.tab === "grants") {
    await cache.prefetchInfiniteQuery({
      ...grantQueries.list({ active: true }),
      queryFn: () => listGrants(actor, { active: true, limit: grantPageSize }),
    });
  } else {
    const filter = toHistoryFilter(search);
    await cache.prefetchInfiniteQuery({
      ...approvalQueries.history(filter),
      queryFn: () => listApprovals(actor, { ...filter, limit: historyPageSize }),
    });
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Approvals" description="Calls that need approval and questions of agents. Approved calls run exactly as shown.">
        <AlertMenu />
      </PageHeader>
      <ApprovalsView />
    </HydrationBoundary>
  );
}
