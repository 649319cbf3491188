import "server-only";
import { and, eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { guardConfig, tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import type { GuardedTool } from "./asked-call";
import { canonicalToolName } from "./rules/demand-usable-rule";
import { type Surfaced, surfaceOf } from "./surface/surface-of";

const columns = {
  name: tools.name,
  source: tools.source,
  sourceRef: tools.mcpServerId,
  effect: tools.effect,
  needs: tools.needs,
  primaryArgument: tools.primaryArgument,
  rawName: tools.rawName,
  surfaceOverride: tools.surfaceOverride,
  requiredTrust: tools.requiredTrust,
  escalatePatterns: guardConfig.escalatePatterns,
};

type Found = Omit<GuardedTool, "surface"> & Surfaced & { escalatePatterns: readonly string[] };

function guarded({ rawName, surfaceOverride, escalatePatterns, ...tool }: Found): GuardedTool {
  return { ...tool, surface: surfaceOf({ ...tool, rawName, surfaceOverride }, escalatePatterns).surface };
}

const selectTools = (tx: Db) => tx.select(columns).from(tools).innerJoin(guardConfig, eq(guardConfig.workspaceId, tools.workspaceId));

/** A tool by its name or an alias. @throws AppError `not_found` */
export async function findGuardedTool(tx: Db, workspaceId: string, nameOrAlias: string): Promise<GuardedTool> {
  const name = await canonicalToolName(tx, workspaceId, nameOrAlias);
  const [tool] = await selectTools(tx).where(and(eq(tools.workspaceId, workspaceId), eq(tools.name, name)));
  if (!tool) throw new AppError("not_found", `There is no tool named ${nameOrAlias}. The list of tools has every name.`);
  return guarded(tool);
}

/** Every tool of a workspace, as the guard sees it. */
export async function listGuardedTools(tx: Db, workspaceId: string): Promise<GuardedTool[]> {
  return (await selectTools(tx).where(eq(tools.workspaceId, workspaceId)).orderBy(tools.name)).map(guarded);
}
