import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit";
import type { JsonObject } from "@/contracts/common";
import type { Tool, ToolPatch, ToolTier } from "@/contracts/tools";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, type Holder, refOf } from "@/server/auth/actor";
import { isAbove, ownLimitsOf } from "@/server/auth/own-limits";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { findTool } from "./get-tool";
import { presentTool } from "./present-tool";

type Change = Partial<
  Pick<
    typeof tools.$inferInsert,
    "enabled" | "timeoutMs" | "descriptionOverride" | "disclosureTier" | "returnDirect" | "surfaceOverride" | "requiredTrust"
  >
>;

/** Enables or disables a tool, or overrides its timeout or description. `version`: from If-Match. */
export async function updateTool(actor: Holder<"tools:write">, idOrName: string, patch: ToolPatch, version: number | null): Promise<Tool> {
  const { description, surface, ...rest } = patch;
  const change: Change = {
    ...rest,
    ...(description === undefined ? {} : { descriptionOverride: description }),
    ...(surface === undefined ? {} : { surfaceOverride: surface }),
  };
  return saveTool(actor, idOrName, "tool.updated", change, patch, version);
}

/** Moves a tool between Core and Extension. @throws AppError `tier_locked` where something else decides. */
export async function setTier(actor: Holder<"tools:write">, idOrName: string, tier: ToolTier, version: number | null): Promise<Tool> {
  return saveTool(actor, idOrName, "tool.tier_changed", { disclosureTier: tier }, { tier }, version);
}

async function saveTool(
  actor: Holder<"tools:write">,
  idOrName: string,
  event: AuditEventName,
  change: Change,
  data: ToolPatch | { tier: ToolTier },
  version: number | null,
): Promise<Tool> {
  const tool = await findTool(actor.workspaceId, idOrName);
  if (event === "tool.tier_changed" && tool.tierLockedReason) throw new AppError("tier_locked", tool.tierLockedReason);
  if (tool.alwaysOn && change.enabled === false) {
    throw new AppError("conflict", `${tool.name} is how an agent reaches the extension tools and cannot be switched off.`);
  }
  if (tool.alwaysOn && change.surfaceOverride === "escalate") {
    throw new AppError("conflict", `${tool.name} is how an agent reaches other tools and cannot be put behind core_execute.`);
  }
  await db().transaction(async (tx) => {
    await refuseOpening(tx, actor, tool, change);
    const saved = await tx
      .update(tools)
      .set({ ...change, version: sql`${tools.version} + 1` })
      .where(and(eq(tools.id, tool.id), version === null ? undefined : eq(tools.version, version)))
      .returning({ id: tools.id });
    if (saved.length === 0) {
      throw new AppError("stale_version", `${tool.name} was changed by somebody else meanwhile. Read it again, then repeat your change.`);
    }
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event,
      actor: refOf(actor),
      subject: tool.name,
      tool: tool.name,
      data: { ...data, before: { enabled: tool.enabled, tier: tool.tier, timeoutMs: tool.timeoutMs, surface: tool.surface } } as JsonObject,
      requestId: actor.requestId,
    });
  });
  return presentTool(await findTool(actor.workspaceId, tool.id));
}

/** A tool for callers above the actor is not opened by the actor. @throws AppError `forbidden` */
async function refuseOpening(
  tx: Db,
  actor: Actor,
  { name, requiredTrust }: Pick<Tool, "name" | "requiredTrust">,
  change: Change,
): Promise<void> {
  if (!requiredTrust || change.requiredTrust === undefined || change.requiredTrust === requiredTrust) return;
  const { trustClass } = await ownLimitsOf(tx, actor);
  if (!isAbove(requiredTrust, trustClass)) return;
  throw new AppError(
    "forbidden",
    `${name} is for callers of the trust class ${requiredTrust}, and you are ${trustClass}: you cannot open it.`,
  );
}
