import { mcpServers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { AnyTool } from "@/server/tools/define-tool";
import { provideTools } from "@/server/tools/live-tools";
import { syncTools } from "@/server/tools/sync-tools";

/**
 * Adds tools to a workspace as the tools of a connected MCP server, so that a test can watch the pipeline call them. In
 * tier core, so that they are callable at once.
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

/** Replaces the tools of a server, as a server with a changed list does. */
export async function replaceTools(workspaceId: string, mcpServerId: string, tools: readonly AnyTool[]): Promise<void> {
  const sourced = tools.map((tool) => ({ ...tool, source: "mcp" as const, sourceRef: mcpServerId }));
  provideTools(workspaceId, mcpServerId, sourced);
  await db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId }, sourced));
}
