import "server-only";
import { and, eq } from "drizzle-orm";
import type { McpServerDraft, McpTestResult } from "@/contracts/mcp/mcp-servers";
import { mcpServers } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { toServerColumns } from "../settings/server-columns";
import { requireRunPermission } from "./require-run-permission";
import { trySettings } from "./try-settings";

/**
 * Tests settings that are not saved. A masked secret stands for the secret of the saved server with the same alias, so that
 * a form can be tested during editing.
 */
export async function testDraft(actor: Authorized<"mcp:write">, draft: McpServerDraft, signal: AbortSignal): Promise<McpTestResult> {
  const [saved] = await db()
    .select()
    .from(mcpServers)
    .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.alias, draft.alias)));
  const columns = toServerColumns(draft, saved ?? null);
  requireRunPermission(actor, columns, null);
  return trySettings({ ...columns, workspaceId: actor.workspaceId }, signal);
}
