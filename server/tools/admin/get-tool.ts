import "server-only";
import type { Tool } from "@/contracts/tools/tools";
import type { Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { loadTools } from "../catalog";
import type { RegisteredTool } from "../registered-tool";
import { presentTool } from "./present-tool";

/** Loads one tool by id or function name, straight from the rows. @throws AppError `not_found`. */
export async function findTool(workspaceId: string, idOrName: string): Promise<RegisteredTool> {
  const found = (await loadTools(workspaceId)).find(({ id, name }) => id === idOrName || name === idOrName);
  if (!found) throw new AppError("not_found", `There is no tool ${idOrName} in this workspace. GET /api/v1/tools lists them.`);
  return found;
}

export async function getTool(actor: Authorized<"tools:read">, idOrName: string): Promise<Tool> {
  return presentTool(await findTool(actor.workspaceId, idOrName));
}
