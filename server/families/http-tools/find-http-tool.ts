import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { httpTools, tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { findTool } from "@/server/tools/admin/get-tool";

export type HttpToolRow = { tool: typeof tools.$inferSelect; definition: typeof httpTools.$inferSelect };

/**
 * Loads an HTTP tool and locks its row until the transaction ends.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`, and `conflict` for a tool of another source
 */
export async function lockHttpTool(tx: Db, workspaceId: string, idOrName: string, version: number | null): Promise<HttpToolRow> {
  const { id, name, source } = await findTool(workspaceId, idOrName);
  if (source !== "http") {
    const owner = source === "mcp" ? "its MCP server" : "Handrail";
    throw new AppError("conflict", `${name} belongs to ${owner}, so its definition cannot be changed or removed here. Disable it instead.`);
  }
  const [row] = await tx
    .select({ tool: tools, definition: httpTools })
    .from(httpTools)
    .innerJoin(tools, eq(tools.id, httpTools.toolId))
    .where(and(eq(httpTools.workspaceId, workspaceId), eq(httpTools.toolId, id)))
    .for("update");
  if (!row) throw new AppError("not_found", `There is no tool ${idOrName} in this workspace. GET /api/v1/tools lists them.`);
  if (version !== null && version !== row.tool.version) {
    throw new AppError("stale_version", `${name} was changed by somebody else meanwhile. Reload the tool, then repeat your change.`);
  }
  return row;
}
