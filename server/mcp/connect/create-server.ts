import "server-only";
import type { McpServer, McpServerDraft } from "@/contracts/mcp-servers";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { mcpConnections } from "./connections";
import { presentServer } from "./present-server";
import { auditedSettings, columnsOf, refuseDuplicate } from "./server-columns";

/**
 * Adds a server and answers at once; it is connected in the background. A stdio server runs a program on this host
 * with our rights, which is why nobody without `mcp:write` comes here.
 * @throws AppError `conflict` when the alias is taken.
 */
export async function createServer(actor: Holder<"mcp:write">, draft: McpServerDraft): Promise<McpServer> {
  const columns = columnsOf(draft, null);
  const row = await db()
    .transaction(async (tx) => {
      const [created] = await tx
        .insert(mcpServers)
        .values({ ...columns, workspaceId: actor.workspaceId, status: draft.enabled ? "connecting" : "disabled" })
        .returning();
      if (!created) throw new Error("The server was not inserted");
      await recordConfigChange(tx, {
        workspaceId: actor.workspaceId,
        event: "mcp_server.created",
        actor: refOf(actor),
        subject: created.alias,
        data: auditedSettings(columns),
        requestId: actor.requestId,
      });
      return created;
    })
    .catch((error) => refuseDuplicate(error, draft.alias));
  void mcpConnections().follow(actor.workspaceId);
  return presentServer(row, 0);
}
