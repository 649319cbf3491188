import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { mcpServers, tools } from "@/db/schema";
import { canonicalJson } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";
import { openMailbox } from "@/server/replicas/mailbox";
import { provideTools, withdrawTools } from "@/server/tools/live-tools";
import { withListers } from "../authorization/choose-lister";
import { makeSemaphore } from "../limits/semaphore";
import { toolFromRow } from "../listing/describe-tools";
import { plainSettings } from "../settings/plain-settings";
import type { McpServerRow } from "../settings/server-settings";
import { type Connection, makeConnection } from "./connection";
import { serveRelayedCalls } from "./serve-relayed-calls";

/** This replica's connections to all enabled servers. */
export type Connections = {
  find(serverId: string): Connection | undefined;
  /** Adjusts the connections of one workspace, or of all, to the current rows. Connecting continues in the background. */
  follow(workspaceId?: string): Promise<void>;
  /** Resolves when the rows are read; connecting continues in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

const startedAtOnce = 4;
const slotPatienceMs = 10_000;
/** Interval of rereading the rows, in case a signal was lost, and of checking servers over HTTP. */
const pollIntervalMs = 30_000;

export const mcpConnections = (): Connections => processWide("mcp.connections", makeConnections);

function makeConnections(): Connections {
  const connections = new Map<string, Connection>();
  const slot = makeSemaphore(startedAtOnce, slotPatienceMs);
  let following: Promise<void> = Promise.resolve();
  let stopListening: (() => void) | null = null;

  const bring = async (workspaceId?: string): Promise<void> => {
    if (!stopListening) return;
    const enabled = await db()
      .select()
      .from(mcpServers)
      .where(and(eq(mcpServers.enabled, true), workspaceId ? eq(mcpServers.workspaceId, workspaceId) : undefined));
    const rows = await withListers(enabled);
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
      else if (row.listedWith?.personId !== connection.server().listedWith?.personId) void connection.listWith(row);
    }
  };

  /** Provides the tools in the rows until the server lists its tools, so that a call can wait for the connection. */
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
        remembered.map((row) => toolFromRow(server, row, connection.call)),
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
      serveRelayedCalls((serverId) => connections.get(serverId)?.callHere);
      const closeMailbox = openMailbox();
      const sweep = (conversationId?: string) => {
        for (const connection of connections.values()) {
          connection
            .sweep(conversationId)
            .catch((error) => log().debug({ err: error }, "sessions of MCP servers could not be compared with their rows"));
        }
      };
      const unsubscribeRemovals = onSignal("conversation", ({ conversationId }) => sweep(conversationId));
      const look = setInterval(() => {
        void follow();
        sweep();
        for (const connection of connections.values()) void connection.check();
      }, pollIntervalMs);
      look.unref();
      stopListening = () => {
        unsubscribe();
        unsubscribeRemovals();
        void closeMailbox();
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

/** Returns a key of the settings that need a new connection when one of them changes: all but the switches of its tools. */
function connectionKey(row: McpServerRow): string {
  const { enabled, tierPerTool, ...settings } = plainSettings(row);
  const { argsSealed, args, envSealed, urlSealed, url, headersSealed, authorization } = row;
  return canonicalJson({
    settings,
    sealed: [argsSealed, args, envSealed, urlSealed, url, headersSealed],
    signIn: authorization?.id ?? null,
  });
}
