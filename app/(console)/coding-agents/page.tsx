import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { CodingAgentsView } from "@/components/nouns/coding-agents/coding-agents-view";
import { codingAgentQueries, sessionPageSize } from "@/components/nouns/coding-agents/queries";
import { pageActor } from "@/server/auth/page-actor";
import { listSessions } from "@/server/families/coding-agents/list-sessions";
import { env } from "@/server/platform/env";

export const metadata: Metadata = { title: "Coding agents" };

export default async function CodingAgentsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  await cache.prefetchInfiniteQuery({ ...codingAgentQueries.sessions(), queryFn: () => listSessions(actor, { limit: sessionPageSize }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <CodingAgentsView address={env().publicUrl.replace(/\/+$/, "")} />
    </HydrationBoundary>
  );
}
