import "server-only";
import { asc, eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { McpConfigFormat } from "@/contracts/mcp/mcp-imports";
import { mcpServers } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { openSettings } from "../settings/server-settings";
import { writeConfig } from "./write-config";

/** Writes the workspace's servers, by alias, as the configuration of another program, without their secrets. */
export async function exportServers(actor: Authorized<"mcp:write">, format: McpConfigFormat): Promise<JsonObject> {
  const rows = await db().select().from(mcpServers).where(eq(mcpServers.workspaceId, actor.workspaceId)).orderBy(asc(mcpServers.alias));
  return writeConfig(
    format,
    rows.map((row) => ({
      ...openSettings(row),
      enabled: row.enabled,
      allowedTools: row.allowedTools,
      callTimeoutSeconds: row.callTimeoutSeconds,
      version: row.serverInfo?.version ?? null,
    })),
  );
}
