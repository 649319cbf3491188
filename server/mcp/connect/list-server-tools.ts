import "server-only";
import type { ToolTier } from "@/contracts/tools";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { loadTools } from "@/server/tools/catalog";
import { computeSchemaHash } from "@/server/tools/sync-tools";
import { mcpConnections } from "./connections";
import { describeTools } from "./describe-tools";
import { findServer } from "./find-server";

export type ServerTool = {
  name: string;
  rawName: string;
  description: string;
  effect: string;
  schemaHash: string;
  allowed: boolean;
  enabled: boolean | null;
  tier: ToolTier | null;
};

/**
 * Lists the tools of a server's last listing, by name, with the settings of admins. Only a connected replica also knows the
 * tools that the server's settings exclude; rows exist only for allowed tools.
 */
export async function listServerTools(actor: Authorized<"tools:read">, id: string): Promise<{ items: ServerTool[]; notes: string[] }> {
  const server = await findServer(db(), actor.workspaceId, id);
  const known = (await loadTools(actor.workspaceId)).filter(({ sourceRef }) => sourceRef === id);
  const names = new Set(known.map(({ name }) => name));
  const connection = mcpConnections().find(id);
  const listed = connection?.listed();
  const others = connection && listed ? await describeTools(server, listed.tools, connection.call) : [];
  const leftOut = others
    .filter(({ name }) => !names.has(name))
    .map(({ name, rawName, description, effect, inputSchema }) => {
      return { name, rawName, description, effect, schemaHash: computeSchemaHash(inputSchema), allowed: false, enabled: null, tier: null };
    });
  const allowed = known.map(({ name, rawName, shownDescription: description, effect, schemaHash, enabled, tier }) => {
    return { name, rawName, description, effect, schemaHash, allowed: true, enabled, tier };
  });
  return { items: [...allowed, ...leftOut].sort(byName), notes: server.toolNotes };
}

function byName(a: ServerTool, b: ServerTool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
