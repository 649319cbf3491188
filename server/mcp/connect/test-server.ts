import "server-only";
import type { McpTestResult } from "@/contracts/mcp-servers";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { findServer } from "./find-server";
import { trySettings } from "./try-settings";

/** Opens a second connection to a saved server, lists its tools and closes it. The first one notices nothing. */
export async function testServer(actor: Holder<"mcp:write">, id: string, signal: AbortSignal): Promise<McpTestResult> {
  return trySettings(await findServer(db(), actor.workspaceId, id), signal);
}
