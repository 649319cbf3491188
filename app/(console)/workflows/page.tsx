import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { workflowResource } from "@/components/nouns/workflows/queries";
import { WorkflowsView } from "@/components/nouns/workflows/workflows-view";
import { pageActor } from "@/server/auth/page-actor";
import { listWorkflows } from "@/server/families/workflows/workflows";

export const metadata: Metadata = { title: "Workflows" };

export default async function WorkflowsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...workflowResource.list(), queryFn: () => listWorkflows(actor) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <WorkflowsView />
    </HydrationBoundary>
  );
}
