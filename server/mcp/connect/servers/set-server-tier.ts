import "server-only";
import { eq, sql } from "drizzle-orm";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import type { ToolTier } from "@/contracts/tools/tools";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { assertVersion, countTools, findServer } from "./find-server";
import { presentServer } from "./present-server";

/** Moves all tools of a server between Core and Extension. `version`: from If-Match. */
export async function setServerTier(
  actor: Authorized<"mcp:write">,
  id: string,
  tier: ToolTier,
  version: number | null,
): Promise<McpServer> {
  return db().transaction(async (tx) => {
    const before = await findServer(tx, actor.workspaceId, id, { lock: true });
    assertVersion(before, version);
    const [row] = await tx
      .update(mcpServers)
      .set({ disclosureTier: tier, version: sql`${mcpServers.version} + 1` })
      .where(eq(mcpServers.id, id))
      .returning();
    if (!row) throw new Error("The server was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.tier_changed",
      actor: toActorRef(actor),
      subject: row.alias,
      data: { tier, before: before.disclosureTier },
      requestId: actor.requestId,
    });
    return presentServer(row, await countTools(tx, id), actor);
  });
}
