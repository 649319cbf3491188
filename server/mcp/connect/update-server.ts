import "server-only";
import { eq, sql } from "drizzle-orm";
import type { McpServer, McpServerDraft } from "@/contracts/mcp-servers";
import { mcpServers } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Holder, refOf } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { mcpConnections } from "./connections";
import { demandVersion, findServer, toolCountOf } from "./find-server";
import { presentServer } from "./present-server";
import { auditedSettings, columnsOf, refuseDuplicate, type SettingsColumns } from "./server-columns";
import type { McpServerRow } from "./server-settings";

/**
 * Replaces a server's settings and answers at once; where the connection is touched, a new one is opened in the
 * background before the old one is closed. `version`: from If-Match.
 * @throws AppError `conflict` for a taken alias, and for another alias once tools, rules and agents use the old one.
 */
export async function updateServer(
  actor: Holder<"mcp:write">,
  id: string,
  draft: McpServerDraft,
  version: number | null,
): Promise<McpServer> {
  const saved = await db()
    .transaction(async (tx) => {
      const before = await findServer(tx, actor.workspaceId, id, { lock: true });
      demandVersion(before, version);
      const toolCount = await toolCountOf(tx, id);
      if (draft.alias !== before.alias && toolCount > 0) {
        throw new AppError(
          "conflict",
          `The alias ${before.alias} is part of the names of ${toolCount} tools, which rules and agents refer to. Add the server under the new alias, then remove this one.`,
        );
      }
      const columns = columnsOf(draft, before);
      const [row] = await tx
        .update(mcpServers)
        .set({ ...columns, ...statusAfter(before, columns), version: sql`${mcpServers.version} + 1` })
        .where(eq(mcpServers.id, id))
        .returning();
      if (!row) throw new Error("The server was not updated");
      await recordConfigChange(tx, {
        workspaceId: actor.workspaceId,
        event: "mcp_server.updated",
        actor: refOf(actor),
        subject: row.alias,
        data: { ...auditedSettings(columns), before: auditedSettings(before) },
        requestId: actor.requestId,
      });
      return presentServer(row, toolCount);
    })
    .catch((error) => refuseDuplicate(error, draft.alias));
  void mcpConnections().follow(actor.workspaceId);
  return saved;
}

/** The tier is no part of a connection; everything else is. */
function statusAfter(before: McpServerRow, after: SettingsColumns): Partial<McpServerRow> {
  if (!after.enabled) return { status: "disabled", lastError: null, lastStderr: null };
  const parts = ({ disclosureTier, ...rest }: SettingsColumns) => rest;
  const unchanged = Object.entries(parts(after)).every(
    ([column, value]) => canonicalJson(value) === canonicalJson(before[column as keyof SettingsColumns]),
  );
  return unchanged ? {} : { status: "connecting", lastError: null, lastStderr: null };
}
