import "server-only";
import { asc, eq } from "drizzle-orm";
import { tools } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { schemaHashOf } from "@/server/tools/sync-tools";
import { isAllowed } from "./connection";
import { mcpConnections } from "./connections";
import { describeTools } from "./describe-tools";
import { findServer } from "./find-server";

export type ServerTool = { name: string; rawName: string; description: string; effect: string; schemaHash: string; allowed: boolean };

/**
 * What a server listed last, by name. A replica that is connected also knows the tools that the settings leave out;
 * otherwise the rows remember the others.
 */
export async function listServerTools(actor: Holder<"tools:read">, id: string): Promise<{ items: ServerTool[] }> {
  const server = await findServer(db(), actor.workspaceId, id);
  const connection = mcpConnections().find(id);
  const listed = connection?.listed();
  if (connection && listed) {
    const described = await describeTools(server, listed, connection.call);
    return {
      items: described
        .map((tool) => ({ ...shown(tool), schemaHash: schemaHashOf(tool.inputSchema), allowed: isAllowed(server, tool.rawName) }))
        .sort(byName),
    };
  }
  const rows = await db().select().from(tools).where(eq(tools.mcpServerId, id)).orderBy(asc(tools.name));
  return { items: rows.map((row) => ({ ...shown(row), schemaHash: row.schemaHash, allowed: true })).sort(byName) };
}

function shown({ name, rawName, description, effect }: Omit<ServerTool, "schemaHash" | "allowed">) {
  return { name, rawName, description, effect };
}

function byName(a: ServerTool, b: ServerTool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
