import "server-only";
import { and, eq } from "drizzle-orm";
import type { McpServerDraft, McpTestResult } from "@/contracts/mcp-servers";
import { mcpServers } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { columnsOf } from "./server-columns";
import { trySettings } from "./try-settings";

/**
 * Tests settings that are not saved. Masked secrets stand for those of the saved server with the same alias, so that a
 * form can be tested while it is edited.
 */
export async function testDraft(actor: Holder<"mcp:write">, draft: McpServerDraft, signal: AbortSignal): Promise<McpTestResult> {
  const [saved] = await db()
    .select()
    .from(mcpServers)
    .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.alias, draft.alias)));
  return trySettings(columnsOf(draft, saved ?? null), signal);
}
