import "server-only";
import type { McpTestResult } from "@/contracts/mcp/mcp-servers";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { mcpConnections } from "../connections/connections";
import { findServer } from "./find-server";
import { toTestResult } from "./try-settings";

/**
 * Opens a new connection on this replica and closes the old connection; other replicas keep their connections.
 * @throws AppError `conflict` for a disabled server.
 */
export async function reconnectServer(actor: Authorized<"mcp:write">, id: string): Promise<McpTestResult> {
  const row = await findServer(db(), actor.workspaceId, id);
  if (!row.enabled) throw new AppError("conflict", `${row.alias} is switched off. Switch it on to connect it.`);
  const connections = mcpConnections();
  if (!connections.find(id)) await connections.follow(actor.workspaceId);
  const connection = connections.find(id);
  if (!connection) throw new AppError("unavailable", "This replica keeps no connections to MCP servers. Try again in a moment.");
  await connection.closeSessions("an admin reconnected the server");
  return toTestResult(await connection.connect());
}
