import "server-only";
import { and, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { ToolChange, ToolChangeFilter } from "@/contracts/tools/tool-changes";
import { mcpServers, toolChanges, tools } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type ChangeRow, presentChange } from "./present-change";

type Page = { items: ToolChange[]; nextCursor: string | null; total: number };

/** Lists the changes of MCP tools that a filter covers, newest first. */
export async function listToolChanges(
  actor: Authorized<"tools:read">,
  { limit = 50, cursor, status, serverId, tool }: ToolChangeFilter & { limit?: number; cursor?: string },
): Promise<Page> {
  const covered = and(
    eq(toolChanges.workspaceId, actor.workspaceId),
    status ? eq(toolChanges.status, status) : undefined,
    serverId ? eq(toolChanges.mcpServerId, serverId) : undefined,
    tool ? eq(toolChanges.toolName, tool) : undefined,
  );
  const after = cursor ? decodeCursor(cursor, IdCursor)[0] : null;
  const [found, total] = await Promise.all([
    selectChanges(and(covered, after ? lt(toolChanges.id, after) : undefined), limit + 1),
    db().$count(toolChanges, covered),
  ]);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentChange), nextCursor, total };
}

/** @throws AppError `not_found`, also for another workspace's change. */
export async function getToolChange({ workspaceId }: Authorized<"tools:read">, id: string): Promise<ToolChange> {
  return readToolChange(workspaceId, id);
}

/** @throws AppError `not_found` */
export async function readToolChange(workspaceId: string, id: string): Promise<ToolChange> {
  const [row] = await selectChanges(and(eq(toolChanges.workspaceId, workspaceId), eq(toolChanges.id, id)), 1);
  if (!row) throw new AppError("not_found", "There is no such change of a tool. It was withdrawn, or the link is incomplete.");
  return presentChange(row);
}

/** Returns the changes with these ids, by id. */
export async function readToolChanges(workspaceId: string, ids: readonly string[]): Promise<Map<string, ToolChange>> {
  if (ids.length === 0) return new Map();
  const rows = await selectChanges(and(eq(toolChanges.workspaceId, workspaceId), inArray(toolChanges.id, [...ids])), ids.length);
  return new Map(rows.map((row) => [row.id, presentChange(row)]));
}

async function selectChanges(where: SQL | undefined, limit: number): Promise<ChangeRow[]> {
  const currentId = sql<string | null>`coalesce(${tools.changeId}, ${mcpServers.instructionsChangeId})`;
  return db()
    .select({ ...getTableColumns(toolChanges), alias: mcpServers.alias, trustHints: mcpServers.trustHints, currentId })
    .from(toolChanges)
    .innerJoin(mcpServers, eq(mcpServers.id, toolChanges.mcpServerId))
    .leftJoin(tools, and(eq(tools.mcpServerId, toolChanges.mcpServerId), eq(tools.name, toolChanges.toolName)))
    .where(where)
    .orderBy(desc(toolChanges.id))
    .limit(limit);
}
