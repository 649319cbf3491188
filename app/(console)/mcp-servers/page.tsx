import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { ServersView } from "@/components/pages/mcp-server/servers-view";
import { pageActor } from "@/server/auth/page-actor";
import { listServers } from "@/server/mcp/connect/servers/list-servers";

export const metadata: Metadata = { title: "MCP servers" };

export default async function McpServersPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  await cache.prefetchQuery({ ...serverQueries.list(), queryFn: () => listServers(actor, { limit: Number.MAX_SAFE_INTEGER }) });
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <ServersView />
    </HydrationBoundary>
  );
}
