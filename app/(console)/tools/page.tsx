import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/api/query-client";
import { AddTool } from "@/components/http-tools/add-tool";
import { serverQueries } from "@/components/mcp-servers/queries";
import { ToolsView } from "@/components/tool-page/tools-view";
import { toolQueries } from "@/components/tools/queries";
import { PageHeader } from "@/components/ui/page-header";
import { pageActor } from "@/server/auth/page-actor";
import { listServers } from "@/server/mcp/connect/servers/list-servers";
import { listTools } from "@/server/tools/list-tools";

export const metadata: Metadata = { title: "Tools" };

export default async function ToolsPage() {
  const actor = await pageActor("tools:read");
  const cache = queryClient();
  await Promise.all([
    cache.prefetchQuery({
      ...toolQueries.list(),
      queryFn: async () => (await listTools(actor, { limit: Number.MAX_SAFE_INTEGER })).items,
    }),
    cache.prefetchQuery({ ...serverQueries.list(), queryFn: () => listServers(actor, { limit: Number.MAX_SAFE_INTEGER }) }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <PageHeader
        title="Tools"
        description="The tools agents can call, and their token cost per model request. Disabled tools are hidden from all agents."
      >
        <AddTool />
      </PageHeader>
      <ToolsView />
    </HydrationBoundary>
  );
}
