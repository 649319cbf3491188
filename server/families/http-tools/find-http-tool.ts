import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { httpTools, tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { findTool } from "@/server/tools/admin/get-tool";

export type HttpToolRow = { tool: typeof tools.$inferSelect; definition: typeof httpTools.$inferSelect };

/** Returns the id of an HTTP tool. @throws AppError `not_found`, and `conflict` for a tool of another source */
export async function findHttpTool(workspaceId: string, idOrName: string): Promise<string> {
  const { id, name, source } = await findTool(workspaceId, idOrName);
  if (source !== "http") {
    const owner = source === "mcp" ? "its MCP server" : "Handrail";
    throw new AppError("conflict", `${name} belongs to ${owner}, so its definition cannot be changed or removed here. Disable it instead.`);
  }
  return id;
}

/**
 * Loads an HTTP tool and locks its row until the transaction ends.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`
 */
export async function lockHttpTool(tx: Db, workspaceId: string, id: string, version: number | null): Promise<HttpToolRow> {
  const [row] = await tx
    .select({ tool: tools, definition: httpTools })
    .from(httpTools)
    .innerJoin(tools, eq(tools.id, httpTools.toolId))
    .where(and(eq(httpTools.workspaceId, workspaceId), eq(httpTools.toolId, id)))
    .for("update");
  if (!row) throw new AppError("not_found", `There is no tool ${id} in this workspace. GET /api/v1/tools lists them.`);
  if (version !== null && version !== row.tool.version) {
    throw new AppError(
      "stale_version",
      `${row.tool.name} was changed by somebody else meanwhile. Reload the tool, then repeat your change.`,
    );
  }
  return row;
}
