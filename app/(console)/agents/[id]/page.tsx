import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { queryClient } from "@/components/kit/api/query-client";
import { AgentView } from "@/components/nouns/agents/agent-view";
import { agentQueries } from "@/components/nouns/agents/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { Id } from "@/contracts/common";
import { getAgentTools } from "@/server/agents/agent-tools";
import { getAgent } from "@/server/agents/get-agent";
import { pageActor } from "@/server/auth/page-actor";
import { isAppError } from "@/server/platform/errors";
import { listTools } from "@/server/tools/admin/list-tools";

export const metadata: Metadata = { title: "Agent" };

export default async function AgentPage({ params }: { params: Promise<{ id: string }> }) {
  const actor = await pageActor("tools:read");
  const { id } = await params;
  if (!Id.safeParse(id).success) notFound();
  const agent = await getAgent(actor, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const cache = queryClient();
  cache.setQueryData(agentQueries.one(id).queryKey, agent);
  await Promise.all([
    cache.prefetchQuery({ ...agentQueries.tools(id), queryFn: () => getAgentTools(actor, id) }),
    cache.prefetchQuery({
      ...toolQueries.list(),
      queryFn: async () => (await listTools(actor, { limit: Number.MAX_SAFE_INTEGER })).items,
    }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <AgentView key={id} id={id} />
    </HydrationBoundary>
  );
}
