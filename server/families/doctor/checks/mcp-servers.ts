import { and, asc, eq } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";

export const mcpServersCheck: Check = {
  name: "MCP servers",
  isOffline: false,
  run: async (workspaceId) => {
    const servers = await db()
      .select({ id: mcpServers.id, alias: mcpServers.alias, status: mcpServers.status, lastError: mcpServers.lastError })
      .from(mcpServers)
      .where(and(eq(mcpServers.workspaceId, workspaceId), eq(mcpServers.enabled, true)))
      .orderBy(asc(mcpServers.alias));
    const broken = servers.filter(({ status }) => status === "error");
    const connected = servers.filter(({ status }) => status === "connected").length;
    const sentence =
      servers.length === 0 ? "No MCP server is enabled." : `${connected} of ${servers.length} enabled servers are connected.`;
    const whole: CheckResult = { name: "MCP servers", status: "ok", sentence };
    return [whole, ...broken.map(toResult)];
  },
};

function toResult({ id, alias, lastError }: { id: string; alias: string; lastError: string | null }): CheckResult {
  return {
    name: `MCP server ${alias}`,
    status: "failed",
    sentence: lastError ?? "It could not be connected.",
    wayOut: "Check its settings and connect it again.",
    link: { label: alias, path: `/mcp-servers?server=${id}` },
  };
}
