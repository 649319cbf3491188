import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/api/query-client";
import { ServersView } from "@/components/mcp-server-page/servers-view";
import { serverQueries } from "@/components/mcp-servers/queries";
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
