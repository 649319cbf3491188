import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { GuardedTool } from "./asked-call";
import { canonicalToolName } from "./demand-usable-rule";

const columns = {
  name: tools.name,
  source: tools.source,
  sourceRef: tools.mcpServerId,
  effect: tools.effect,
  surface: tools.surface,
  needs: tools.needs,
  primaryArgument: tools.primaryArgument,
};

/** A tool by its name or an alias. @throws AppError `not_found` */
export async function findGuardedTool(tx: Db, workspaceId: string, nameOrAlias: string): Promise<GuardedTool> {
  const name = await canonicalToolName(tx, workspaceId, nameOrAlias);
  const [tool] = await tx
    .select(columns)
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), eq(tools.name, name)));
  if (!tool) throw new AppError("not_found", `There is no tool named ${nameOrAlias}. The list of tools has every name.`);
  return tool;
}

/** Every tool of a workspace, as the guard sees it. */
export function listGuardedTools(tx: Db, workspaceId: string): Promise<GuardedTool[]> {
  return tx.select(columns).from(tools).where(eq(tools.workspaceId, workspaceId)).orderBy(tools.name);
}
