import "server-only";
import { eq } from "drizzle-orm";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { mcpConnections } from "../connections/connections";
import { removeServerFolder } from "../program/server-folder";
import { auditedSettings } from "../settings/server-columns";
import { assertVersion, countTools, findServer } from "./find-server";

/** Removes a server with its tools, and closes its connection on every replica. `version`: from If-Match. */
export async function removeServer(actor: Authorized<"mcp:write">, id: string, version: number | null): Promise<Record<string, never>> {
  await db().transaction(async (tx) => {
    const before = await findServer(tx, actor.workspaceId, id, { lock: true });
    assertVersion(before, version);
    const tools = await countTools(tx, id);
    await tx.delete(mcpServers).where(eq(mcpServers.id, id));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "mcp_server.removed",
      actor: toActorRef(actor),
      subject: before.alias,
      data: { ...auditedSettings(before), tools },
      requestId: actor.requestId,
    });
  });
  // The program may still use its folder until the connection is closed; the next start removes leftover files.
  void mcpConnections()
    .follow(actor.workspaceId)
    .then(() => removeServerFolder(id));
  return {};
}
