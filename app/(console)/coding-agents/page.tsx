import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { codingAgentQueries, sessionPageSize, shownCalls } from "@/components/nouns/coding-agents/queries";
import { CodingAgentsView } from "@/components/pages/coding-agents/coding-agents-view";
import { pageActor } from "@/server/auth/page-actor";
import { listConnections } from "@/server/families/coding-agents/connections";
import { listCodingCalls } from "@/server/families/coding-agents/list-calls";
import { listSessions } from "@/server/families/coding-agents/list-sessions";
import { env } from "@/server/platform/env";

export const metadata: Metadata = { title: "Coding agents" };

export default async function CodingAgentsPage() {
  const actor = await pageActor("turns:read");
  const cache = queryClient();
  const calls = (state: "open" | "stopped") =>
    cache.prefetchQuery({ ...codingAgentQueries.calls(state), queryFn: () => listCodingCalls(actor, { state, limit: shownCalls }) });
  await Promise.all([
    cache.prefetchInfiniteQuery({ ...codingAgentQueries.sessions(), queryFn: () => listSessions(actor, { limit: sessionPageSize }) }),
    cache.prefetchQuery({ ...codingAgentQueries.connections(), queryFn: () => listConnections(actor) }),
    calls("open"),
    calls("stopped"),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <CodingAgentsView address={env().publicUrl.replace(/\/+$/, "")} />
    </HydrationBoundary>
  );
}
