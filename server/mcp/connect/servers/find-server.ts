import "server-only";
import { and, count, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { mcpServers, tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { McpServerRow } from "../settings/server-settings";

/** @throws AppError `not_found`, also for another workspace's server. */
export async function findServer(tx: Db, workspaceId: string, id: string, options: { lock?: boolean } = {}): Promise<McpServerRow> {
  const query = tx
    .select()
    .from(mcpServers)
    .where(and(eq(mcpServers.workspaceId, workspaceId), eq(mcpServers.id, id)));
  const [row] = options.lock ? await query.for("update") : await query;
  if (!row) throw new AppError("not_found", "There is no such MCP server in this workspace. GET /api/v1/mcp/servers lists them.");
  return row;
}

/** @throws AppError `stale_version` when the caller read another version than the current one. */
export function assertVersion(row: McpServerRow, version: number | null): void {
  if (version !== null && version !== row.version) {
    throw new AppError("stale_version", `${row.alias} was changed by somebody else meanwhile. Reload the server, then repeat your change.`);
  }
}

export async function countTools(tx: Db, serverId: string): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(tools).where(eq(tools.mcpServerId, serverId));
  return row?.count ?? 0;
}
