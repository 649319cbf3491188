import "server-only";
import { and, eq } from "drizzle-orm";
import type { HttpTool } from "@/contracts/tools/http-tools";
import { httpTools } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findTool } from "@/server/tools/admin/get-tool";
import { presentTool } from "@/server/tools/admin/present-tool";

/** Loads an HTTP tool in its public form. @throws AppError `not_found`, also for a tool of another source */
export async function getHttpTool(workspaceId: string, idOrName: string): Promise<HttpTool> {
  const tool = await findTool(workspaceId, idOrName);
  const [definition] = await db()
    .select()
    .from(httpTools)
    .where(and(eq(httpTools.workspaceId, workspaceId), eq(httpTools.toolId, tool.id)));
  if (!definition) throw new AppError("not_found", `${tool.name} is no HTTP tool. GET /api/v1/tools?source=http lists them.`);
  const { request, authProfileId, api } = definition;
  return { ...presentTool(tool), http: { ...request, authProfileId }, api };
}
