import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { queryClient } from "@/components/kit/api/query-client";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { AddTool } from "@/components/nouns/http-tools/add-tool";
import { serverQueries } from "@/components/nouns/mcp-servers/queries";
import { toolQueries } from "@/components/nouns/tools/queries";
import { ToolsView } from "@/components/pages/tool/tools-view";
import { pageActor } from "@/server/auth/page-actor";
import { listServers } from "@/server/mcp/connect/servers/list-servers";
import { listTools } from "@/server/tools/admin/list-tools";

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
