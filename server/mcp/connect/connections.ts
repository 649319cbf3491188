import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { mcpServers, tools } from "@/db/schema";
import { onSignal } from "@/server/platform/bus";
import { canonicalJson } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { provideTools, withdrawTools } from "@/server/tools/live-tools";
import { type Connection, makeConnection } from "./connection";
import { toolOfRow } from "./describe-tools";
import type { McpServerRow } from "./server-settings";
import { makeSlots } from "./slots";

/** The connections of this replica to all servers that are switched on. */
export type Connections = {
  find(serverId: string): Connection | undefined;
  /** Brings the connections of a workspace, or of all, to what the rows say now. Connecting goes on in the background. */
  follow(workspaceId?: string): Promise<void>;
  /** Returns when the rows are read; connecting goes on in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

const startedAtOnce = 4;
const slotPatienceMs = 10_000;
/** A signal that was missed is made up for this much later; also how often servers over HTTP are asked for a sign of life. */
const lookMs = 30_000;

export const mcpConnections = (): Connections => processWide("mcp.connections", makeConnections);

function makeConnections(): Connections {
  const connections = new Map<string, Connection>();
  const slot = makeSlots(startedAtOnce, slotPatienceMs);
  let following: Promise<void> = Promise.resolve();
  let stopListening: (() => void) | null = null;

  const bring = async (workspaceId?: string): Promise<void> => {
    if (!stopListening) return;
    const rows = await db()
      .select()
      .from(mcpServers)
      .where(and(eq(mcpServers.enabled, true), workspaceId ? eq(mcpServers.workspaceId, workspaceId) : undefined));
    const wanted = new Map(rows.map((row) => [row.id, row]));
    for (const [id, connection] of connections) {
      const { workspaceId: owner } = connection.server();
      if (wanted.has(id) || (workspaceId && owner !== workspaceId)) continue;
      connections.delete(id);
      withdrawTools(owner, id);
      void connection.close();
    }
    const unknown = rows.filter(({ id }) => !connections.has(id));
    for (const row of unknown) connections.set(row.id, makeConnection(row, slot));
    await provideRemembered(unknown);
    for (const row of rows) {
      const connection = connections.get(row.id);
      if (!connection) continue;
      if (unknown.includes(row)) void connection.connect();
      else if (connectionKey(row) !== connectionKey(connection.server())) void connection.connect(row);
    }
  };

  /** What the rows remember stands for a server's tools until it lists them, so that a call can wait for it. */
  const provideRemembered = async (servers: readonly McpServerRow[]): Promise<void> => {
    if (servers.length === 0) return;
    const ids = servers.map(({ id }) => id);
    const rows = await db().select().from(tools).where(inArray(tools.mcpServerId, ids));
    const rowsOf = Map.groupBy(rows, ({ mcpServerId }) => mcpServerId);
    for (const server of servers) {
      const connection = connections.get(server.id);
      const remembered = rowsOf.get(server.id);
      if (!connection || !remembered) continue;
      provideTools(
        server.workspaceId,
        server.id,
        remembered.map((row) => toolOfRow(server, row, connection.call)),
      );
    }
  };

  const follow = (workspaceId?: string): Promise<void> => {
    following = following.then(() => bring(workspaceId)).catch((error) => log().warn({ err: error }, "MCP servers could not be read"));
    return following;
  };

  return {
    find: (serverId) => connections.get(serverId),
    follow,
    start: async () => {
      if (stopListening) return following;
      const unsubscribe = onSignal("config", ({ workspaceId }) => void follow(workspaceId));
      const look = setInterval(() => {
        void follow();
        for (const connection of connections.values()) void connection.check();
      }, lookMs);
      look.unref();
      stopListening = () => {
        unsubscribe();
        clearInterval(look);
      };
      await follow();
    },
    stop: async () => {
      stopListening?.();
      stopListening = null;
      await following;
      const all = [...connections.values()];
      connections.clear();
      await Promise.all(
        all.map((connection) => {
          withdrawTools(connection.server().workspaceId, connection.server().id);
          return connection.close();
        }),
      );
    },
  };
}

/** What a connection is made of: when one of these changes, it is made anew. */
function connectionKey(row: McpServerRow): string {
  const { alias, transport, command, args, envSealed, cwd, url, headersSealed, allowedTools, connectTimeoutSeconds, callTimeoutSeconds } =
    row;
  return canonicalJson([
    alias,
    transport,
    command,
    args,
    envSealed,
    cwd,
    url,
    headersSealed,
    allowedTools,
    connectTimeoutSeconds,
    callTimeoutSeconds,
  ]);
}
