import "server-only";
import { eq } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { mcpConnections } from "./connections";
import { demandVersion, findServer, toolCountOf } from "./find-server";
import { auditedSettings } from "./server-columns";

/** Removes a server with its tools; its connection is closed on every replica. `version`: from If-Match. */
export async function removeServer(actor: Holder<"mcp:write">, id: string, version: number | null): Promise<Record<string, never>> {
  await db().transaction(async (tx) => {
    const before = await findServer(tx, actor.workspaceId, id, { lock: true });
    demandVersion(before, version);
    const tools = await toolCountOf(tx, id);
    await tx.delete(mcpServers).where(eq(mcpServers.id, id));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.removed",
      actor: refOf(actor),
      subject: before.alias,
      data: { ...auditedSettings(before), tools },
      requestId: actor.requestId,
    });
  });
  void mcpConnections().follow(actor.workspaceId);
  return {};
}
