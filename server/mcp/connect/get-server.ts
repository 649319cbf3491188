import "server-only";
import type { McpServer } from "@/contracts/mcp-servers";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { findServer, toolCountOf } from "./find-server";
import { presentServer } from "./present-server";

export async function getServer(actor: Holder<"tools:read">, id: string): Promise<McpServer> {
  const row = await findServer(db(), actor.workspaceId, id);
  return presentServer(row, await toolCountOf(db(), id));
}
