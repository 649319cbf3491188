import { mcpServers } from "@/db/schema";
import { db } from "@/server/platform/database";
import type { AnyTool } from "@/server/tools/define-tool";
import { provideTools } from "@/server/tools/live-tools";
import { syncTools } from "@/server/tools/sync-tools";

/**
 * Adds tools to a workspace as those of a connected MCP server, so that a test can watch what the pipeline does with
 * them. Core, so that they can be called at once.
 */
export async function buildTools(workspaceId: string, tools: readonly AnyTool[], { alias = "probe" } = {}): Promise<string> {
  const [server] = await db()
    .insert(mcpServers)
    .values({ workspaceId, alias, transport: "stdio", command: "none", disclosureTier: "core", status: "connected" })
    .returning();
  if (!server) throw new Error("The server was not inserted");
  await replaceTools(workspaceId, server.id, tools);
  return server.id;
}

/** What a server does that lists other tools than before. */
export async function replaceTools(workspaceId: string, mcpServerId: string, tools: readonly AnyTool[]): Promise<void> {
  const sourced = tools.map((tool) => ({ ...tool, source: "mcp" as const, sourceRef: mcpServerId }));
  provideTools(workspaceId, mcpServerId, sourced);
  await db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId }, sourced));
}
