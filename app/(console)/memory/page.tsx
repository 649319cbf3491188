import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { agentQueries, maxAgents } from "@/components/nouns/agents/queries";
import { MemoryView } from "@/components/pages/memory/memory-view";
import { listAgents } from "@/server/agents/list-agents";
import { pageActor } from "@/server/auth/page-actor";

export const metadata: Metadata = { title: "Memory" };

export default async function MemoryPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...agentQueries.list(), queryFn: () => listAgents(actor, { limit: maxAgents }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <MemoryView />
    </HydrationBoundary>
  );
}
