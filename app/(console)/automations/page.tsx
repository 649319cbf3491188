import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { maxPageSize } from "@/components/kit/api/max-page-size";
import { queryClient } from "@/components/kit/api/query-client";
import { AutomationsView } from "@/components/nouns/triggers/automations-view";
import { automationQueries, triggerResource } from "@/components/nouns/triggers/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listAutomations } from "@/server/families/triggers/list-automations";
import { triggers } from "@/server/families/triggers/triggers";

export const metadata: Metadata = { title: "Automations" };

export default async function AutomationsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({ ...automationQueries.list(), queryFn: () => listAutomations(actor) }),
    cache.prefetchQuery({ ...triggerResource.list(), queryFn: () => triggers.list({ actor, query: { limit: maxPageSize } }) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <AutomationsView />
    </HydrationBoundary>
  );
}
