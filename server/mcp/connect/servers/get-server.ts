import "server-only";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { countTools, findServer } from "./find-server";
import { presentServer } from "./present-server";

export async function getServer(actor: Authorized<"tools:read">, id: string): Promise<McpServer> {
  const row = await findServer(db(), actor.workspaceId, id);
  return presentServer(row, await countTools(db(), id), actor);
}
