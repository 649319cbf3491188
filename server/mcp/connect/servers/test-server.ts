import "server-only";
import type { McpTestResult } from "@/contracts/mcp/mcp-servers";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { findServer } from "./find-server";
import { requireRunPermission } from "./require-run-permission";
import { trySettings } from "./try-settings";

/** Opens a second connection to a saved server, lists the tools and closes the connection. The first connection stays. */
export async function testServer(actor: Authorized<"mcp:write">, id: string, signal: AbortSignal): Promise<McpTestResult> {
  const server = await findServer(db(), actor.workspaceId, id);
  requireRunPermission(actor, server, null);
  return trySettings(server, signal);
}
