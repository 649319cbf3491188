import "server-only";
import { and, eq } from "drizzle-orm";
import { guardConfig, mcpServers, tools } from "@/db/schema";
import type { GuardedTool } from "@/server/guard/call/guard-request";
import { type BridgeState, classifySurface, type SurfacedTool } from "@/server/guard/surface/classify-surface";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { bridgeStateOf, loadSourceEffects, toolEffects } from "./own-tools";
import { canonicalToolName } from "./rules/assert-usable-rule";
import { sourceHosts } from "./source-hosts";

const columns = {
  name: tools.name,
  source: tools.source,
  sourceRef: tools.mcpServerId,
  effect: tools.effect,
  pinHash: tools.pinHash,
  effectOverride: tools.effectOverride,
  needs: tools.needs,
  primaryArgument: tools.primaryArgument,
  rawName: tools.rawName,
  surfaceOverride: tools.surfaceOverride,
  requiredTrust: tools.requiredTrust,
  escalatePatterns: guardConfig.escalatePatterns,
  network: mcpServers.network,
  allowedHosts: mcpServers.allowedHosts,
};

type Found = Omit<GuardedTool, "surface" | "effectOverride"> &
  SurfacedTool & { effectOverride: GuardedTool["effect"] | null } & { escalatePatterns: readonly string[] } & Parameters<
    typeof sourceHosts
  >[0];

type EffectsByName = Awaited<ReturnType<typeof loadSourceEffects>>;

function guarded(
  { rawName, surfaceOverride, escalatePatterns, network, allowedHosts, ...found }: Found,
  bridge: BridgeState | null,
  sourceEffects: EffectsByName,
): GuardedTool {
  const tool = { ...found, effect: found.effectOverride ?? found.effect };
  const { surface, sensitiveVerb } = classifySurface({ ...tool, rawName, surfaceOverride }, { escalatePatterns, bridge });
  const effects = tool.source === "builtin" ? toolEffects(tool.name) : tool.source === "mcp" ? undefined : sourceEffects.get(tool.name);
  return { ...tool, ...(effects ? { effects } : {}), ...sourceHosts({ network, allowedHosts }), surface, sensitiveVerb };
}

const selectTools = () =>
  db()
    .select(columns)
    .from(tools)
    .innerJoin(guardConfig, eq(guardConfig.workspaceId, tools.workspaceId))
    .leftJoin(mcpServers, eq(mcpServers.id, tools.mcpServerId));

/** Finds a tool by its name or an alias. Not for a transaction, whose connection others would wait for. @throws AppError `not_found` */
export async function findGuardedTool(workspaceId: string, nameOrAlias: string): Promise<GuardedTool> {
  const name = await canonicalToolName(db(), workspaceId, nameOrAlias);
  const [tool] = await selectTools().where(and(eq(tools.workspaceId, workspaceId), eq(tools.name, name)));
  if (!tool) throw new AppError("not_found", `There is no tool named ${nameOrAlias}. The list of tools has every name.`);
  return guarded(tool, await bridgeStateOf(db(), workspaceId), await loadSourceEffects(workspaceId));
}

/** Lists every tool of a workspace, as the guard sees it. Not for a transaction, as above. */
export async function listGuardedTools(workspaceId: string): Promise<GuardedTool[]> {
  const found = await selectTools().where(eq(tools.workspaceId, workspaceId)).orderBy(tools.name);
  const bridge = await bridgeStateOf(db(), workspaceId);
  const sourceEffects = await loadSourceEffects(workspaceId);
  return found.map((tool) => guarded(tool, bridge, sourceEffects));
}
