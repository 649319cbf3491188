import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { AuditView } from "@/components/nouns/audit/audit-view";
import { auditProofQueries } from "@/components/nouns/audit/proof-queries";
import { auditPageSize, auditQueries } from "@/components/nouns/audit/queries";
import { auditSearch, toAuditFilter } from "@/components/nouns/audit/search-params";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { pageActor } from "@/server/auth/page-actor";
import { readAuditState } from "@/server/families/audit-proof/audit-state";

export const metadata: Metadata = { title: "Audit" };

const search = createLoader(auditSearch);

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("audit:read");
  const filter = toAuditFilter(await search(searchParams));
  const cache = queryClient();
  await cache.prefetchQuery({ ...auditProofQueries.state(), queryFn: () => readAuditState(actor) });
  await cache.prefetchInfiniteQuery({
    ...auditQueries.list(filter),
    queryFn: () => listAuditEvents(actor, { ...filter, limit: auditPageSize }),
  });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <AuditView />
    </HydrationBoundary>
  );
}
