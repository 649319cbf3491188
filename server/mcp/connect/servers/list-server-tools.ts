import "server-only";
import type { Got } from "@/contracts/endpoint";
import type { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { listAbsentPins } from "@/server/tools/absent-settings";
import { loadTools } from "@/server/tools/catalog";
import { withoutSource } from "@/server/tools/disclosure/tool-words";
import { hintEffect } from "@/server/tools/pins/hint-effect";
import { readToolChanges } from "@/server/tools/pins/list-changes";
import { computeSchemaHash } from "@/server/tools/sync-tools";
import { mcpConnections } from "../connections/connections";
import { describeTools } from "../listing/describe-tools";
import { proposeEffect } from "../listing/propose-effect";
import { countHints } from "./count-hints";
import { findServer } from "./find-server";

type ServerTools = Got<typeof mcpServerEndpoints.tools>;
type ServerTool = ServerTools["items"][number];

/**
 * Lists the tools of a server's last listing, by name, with their pins and the settings of admins, and the pinned tools
 * that are gone. Only a connected replica also knows the tools that the server's settings exclude; rows exist only for
 * allowed tools.
 */
export async function listServerTools(actor: Authorized<"tools:read">, id: string): Promise<ServerTools> {
  const { workspaceId } = actor;
  const server = await findServer(db(), workspaceId, id);
  const known = (await loadTools(workspaceId)).filter(({ sourceRef }) => sourceRef === id);
  const changes = await readToolChanges(
    workspaceId,
    known.flatMap(({ changeId }) => changeId ?? []),
  );
  const absent = new Map((await listAbsentPins(db(), { workspaceId, mcpServerId: id })).map(({ name, pin }) => [name, pin]));
  const names = new Set(known.map(({ name }) => name));
  const connection = mcpConnections().find(id);
  const listed = connection?.listed();
  const others = connection && listed ? await describeTools(server, listed.tools, connection.call) : [];
  const none = { change: null, enabled: null, tier: null, proposal: null };
  const leftOut = others
    .filter(({ name }) => !names.has(name))
    .map(({ name, rawName, description, effect, inputSchema, definition }) => {
      const findings = definition && "findings" in definition ? definition.findings : [];
      const schemaHash = computeSchemaHash(inputSchema);
      const pinned = absent.get(name);
      absent.delete(name);
      const pin = !pinned ? ("new" as const) : pinned.hash === definition?.hash ? ("pinned" as const) : ("changed" as const);
      const pinHash = pinned?.hash ?? null;
      return { ...none, name, rawName, description, effect, schemaHash, allowed: false, pin, pinHash, findings };
    });
  const vanished = [...absent].map(([name, pin]) => {
    const { rawName, description, inputSchema, findings, hash: pinHash, annotations } = pin;
    const effect = hintEffect(annotations, server.trustHints);
    const schemaHash = computeSchemaHash(inputSchema);
    return { ...none, name, rawName, description, effect, schemaHash, allowed: false, pin: "gone" as const, pinHash, findings };
  });
  const allowed = known.map((tool) => {
    const { name, rawName, shownDescription: description, effect, schemaHash, enabled, tier, pinHash, findings } = tool;
    const change = (tool.changeId && changes.get(tool.changeId)) || null;
    const pin = tool.quarantine ? (pinHash === null ? ("new" as const) : ("changed" as const)) : ("pinned" as const);
    // Nobody has accepted a new tool's words yet, so confirming all proposals must not take it along.
    const isProposed = tool.effectOverride === null && pin !== "new";
    const proposal = isProposed ? proposeEffect({ ...tool, description: withoutSource(tool) }) : null;
    return { name, rawName, description, effect, schemaHash, allowed: true, enabled, tier, pin, pinHash, change, findings, proposal };
  });
  return { items: [...allowed, ...leftOut, ...vanished].sort(byName), hints: countHints(known), notes: server.toolNotes };
}

function byName(a: ServerTool, b: ServerTool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
