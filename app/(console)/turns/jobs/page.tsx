import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { createLoader, type SearchParams } from "nuqs/server";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { JobsView } from "@/components/nouns/jobs/jobs-view";
import { jobPageSize, jobQueries } from "@/components/nouns/jobs/queries";
import { jobSearch } from "@/components/nouns/jobs/search-params";
import { TurnPages } from "@/components/pages/turn/turn-pages";
import { JobFilter } from "@/contracts/calls/jobs";
import { pageActor } from "@/server/auth/page-actor";
import { listJobs } from "@/server/turns/background/list-jobs";

export const metadata: Metadata = { title: "Background jobs" };

const search = createLoader(jobSearch);

export default async function JobsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await pageActor("turns:read");
  const { status, conversation } = await search(searchParams);
  const filter = { ...(status ? { status } : {}), ...(conversation ? { conversationId: conversation } : {}) };
  const cache = queryClient();
  // No prefetch for an invalid filter: the browser repeats the request and shows the API's error.
  if (JobFilter.safeParse(filter).success) {
    await cache.prefetchInfiniteQuery({
      ...jobQueries.recent(filter),
      queryFn: () => listJobs(actor, { ...filter, limit: jobPageSize }),
    });
  }
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader title="Turns" description="Calls running in the background. Results arrive with a later turn." />
      <TurnPages here="jobs" />
      <JobsView />
    </HydrationBoundary>
  );
}
