import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import type { Tool, ToolPatch, ToolTier } from "@/contracts/tools/tools";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { isAbove, loadActorLimits } from "@/server/auth/actor-limits";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { findTool } from "./get-tool";
import { presentTool } from "./present-tool";
import { toolRefusal } from "./tool-refusal";

type Change = Partial<
  Pick<
    typeof tools.$inferInsert,
    | "enabled"
    | "timeoutMs"
    | "resultLimit"
    | "descriptionOverride"
    | "effectOverride"
    | "disclosureTier"
    | "returnDirect"
    | "surfaceOverride"
    | "requiredTrust"
  >
>;

/** Enables or disables a tool, or overrides its timeout, result limit, description or effect. `version`: from If-Match. */
export async function updateTool(
  actor: Authorized<"tools:write">,
  idOrName: string,
  patch: ToolPatch,
  version: number | null,
): Promise<Tool> {
  const { description, effect, surface, ...rest } = patch;
  const change: Change = {
    ...rest,
    ...(description === undefined ? {} : { descriptionOverride: description }),
    ...(effect === undefined ? {} : { effectOverride: effect }),
    ...(surface === undefined ? {} : { surfaceOverride: surface }),
  };
  return saveTool(actor, idOrName, "tool.updated", change, patch, version);
}

/** Moves a tool between core and extension. @throws AppError `tier_locked` when its MCP server or the framework fixes the tier. */
export async function setTier(actor: Authorized<"tools:write">, idOrName: string, tier: ToolTier, version: number | null): Promise<Tool> {
  return saveTool(actor, idOrName, "tool.tier_changed", { disclosureTier: tier }, { tier }, version);
}

async function saveTool(
  actor: Authorized<"tools:write">,
  idOrName: string,
  event: AuditEventName,
  change: Change,
  data: ToolPatch | { tier: ToolTier },
  version: number | null,
): Promise<Tool> {
  const tool = await findTool(actor.workspaceId, idOrName);
  const refusal = toolRefusal(tool, change);
  if (refusal) throw refusal;
  if (tool.alwaysOn && change.surfaceOverride === "escalate") {
    throw new AppError("conflict", `${tool.name} cannot be put on the escalate surface because agents reach other tools through it.`);
  }
  if (tool.effectiveResultLimit === null && change.resultLimit) {
    throw new AppError("conflict", `${tool.name} pages its own results, so a result limit has no effect.`);
  }
  await db().transaction(async (tx) => {
    await refuseOpening(tx, actor, tool, change);
    const saved = await tx
      .update(tools)
      .set({ ...change, version: sql`${tools.version} + 1` })
      .where(and(eq(tools.id, tool.id), version === null ? undefined : eq(tools.version, version)))
      .returning({ id: tools.id });
    if (saved.length === 0) {
      throw new AppError("stale_version", `${tool.name} was changed by somebody else meanwhile. Reload the tool, then repeat your change.`);
    }
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event,
      actor: toActorRef(actor),
      subject: tool.name,
      tool: tool.name,
      data: {
        ...data,
        before: {
          enabled: tool.enabled,
          tier: tool.tier,
          timeoutMs: tool.timeoutMs,
          resultLimit: tool.resultLimit,
          effect: tool.effect,
          surface: tool.surface,
        },
      } as JsonObject,
      requestId: actor.requestId,
    });
  });
  return presentTool(await findTool(actor.workspaceId, tool.id));
}

/** Keeps a tool for callers above the actor closed: refuses to change its required trust class. @throws AppError `forbidden` */
async function refuseOpening(
  tx: Db,
  actor: Actor,
  { name, requiredTrust }: Pick<Tool, "name" | "requiredTrust">,
  change: Change,
): Promise<void> {
  if (!requiredTrust || change.requiredTrust === undefined || change.requiredTrust === requiredTrust) return;
  const { trustClass } = await loadActorLimits(tx, actor);
  if (!isAbove(requiredTrust, trustClass)) return;
  throw new AppError(
    "forbidden",
    `${name} is for callers of the trust class ${requiredTrust}, and you are ${trustClass}: you cannot open it.`,
  );
}
