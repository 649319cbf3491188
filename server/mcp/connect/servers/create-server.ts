import "server-only";
import type { McpServer, McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { mcpConnections } from "../connections/connections";
import { auditedSettings, refuseDuplicate, toServerColumns } from "../settings/server-columns";
import { presentServer } from "./present-server";
import { requireRunPermission } from "./require-run-permission";

/**
 * Adds a server and answers at once; the server is connected in the background. A stdio server needs `mcp:run`, because
 * Handrail starts its program on this machine.
 * @throws AppError `conflict` when the alias is taken, `forbidden` without the right to run programs.
 */
export async function createServer(actor: Authorized<"mcp:write">, draft: McpServerDraft): Promise<McpServer> {
  const columns = toServerColumns(draft, null);
  requireRunPermission(actor, columns, null);
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
        actor: toActorRef(actor),
        subject: created.alias,
        data: auditedSettings(columns),
        requestId: actor.requestId,
      });
      return created;
    })
    .catch((error) => refuseDuplicate(error, draft.alias));
  void mcpConnections().follow(actor.workspaceId);
  return presentServer(row, 0, actor);
}
