import "server-only";
import { and, asc, count, eq, gt, ilike, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import { mcpServers, tools } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentServer } from "./present-server";

const Cursor = z.tuple([z.string()]);

type Asked = { limit?: number; cursor?: string; query?: string; status?: McpServer["status"] };

/** Lists the workspace's servers by alias; with a query those that have all its words. */
export async function listServers(
  actor: Authorized<"tools:read">,
  { limit = 50, cursor, query, status }: Asked = {},
): Promise<{ items: McpServer[]; nextCursor: string | null; total: number }> {
  const inWorkspace = and(eq(mcpServers.workspaceId, actor.workspaceId), status && eq(mcpServers.status, status), ...wordsIn(query));
  const after = cursor ? gt(mcpServers.alias, decodeCursor(cursor, Cursor)[0]) : undefined;
  const toolCounts = db()
    .select({ serverId: tools.mcpServerId, count: count().as("count") })
    .from(tools)
    .groupBy(tools.mcpServerId)
    .as("tool_counts");
  const [found, total] = await Promise.all([
    db()
      .select({ server: mcpServers, toolCount: toolCounts.count })
      .from(mcpServers)
      .leftJoin(toolCounts, eq(toolCounts.serverId, mcpServers.id))
      .where(and(inWorkspace, after))
      .orderBy(asc(mcpServers.alias))
      .limit(limit + 1),
    db().$count(mcpServers, inWorkspace),
  ]);
  const { rows, nextCursor } = toPage(found, limit, ({ server }) => [server.alias]);
  return { items: rows.map(({ server, toolCount }) => presentServer(server, toolCount ?? 0, actor)), nextCursor, total };
}

function wordsIn(query = "") {
  return query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
      return or(
        ilike(mcpServers.alias, pattern),
        ilike(mcpServers.command, pattern),
        sql`${mcpServers.serverInfo}->>'name' ilike ${pattern}`,
      );
    });
}
