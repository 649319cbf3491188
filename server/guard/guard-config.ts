import "server-only";
import { eq } from "drizzle-orm";
import type { GuardConfig, GuardConfigPatch } from "@/contracts/guard";
import { guardConfig } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { changePolicy, type GuardConfigRow } from "./change-policy";

export function presentConfig({ enabled, defaultPolicy, approvalTimeoutSeconds, policyVersion, updatedAt }: GuardConfigRow): GuardConfig {
  return { enabled, defaultPolicy, approvalTimeoutSeconds, policyVersion, updatedAt: updatedAt.toISOString() };
}

/** The guard's switch, default policy and approval time. */
export async function getConfig(actor: Holder<"guard:read">): Promise<GuardConfig> {
  const [config] = await db().select().from(guardConfig).where(eq(guardConfig.workspaceId, actor.workspaceId));
  if (!config) throw new Error("this workspace has no policy");
  return presentConfig(config);
}

/**
 * Changes what the patch names.
 * @param policyVersion from If-Match
 * @throws AppError `stale_version`
 */
export async function updateConfig(
  actor: Holder<"guard:write">,
  patch: GuardConfigPatch,
  policyVersion: number | null,
): Promise<GuardConfig> {
  const { config } = await changePolicy(actor, async (tx, before) => {
    if (policyVersion !== null && policyVersion !== before.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Load it again and repeat your change.");
    }
    if (Object.keys(patch).length > 0) await tx.update(guardConfig).set(patch).where(eq(guardConfig.workspaceId, actor.workspaceId));
    const { enabled, defaultPolicy, approvalTimeoutSeconds } = before;
    const old = { enabled, defaultPolicy, approvalTimeoutSeconds };
    const summary = summaryOf(patch);
    return { answer: null, event: "guard_config.updated", subject: null, summary, data: { old, new: { ...old, ...patch } } };
  });
  return presentConfig(config);
}

function summaryOf({ enabled, defaultPolicy, approvalTimeoutSeconds }: GuardConfigPatch): string {
  const changes = [
    ...(enabled === undefined ? [] : [enabled ? "switched the guard on" : "switched the guard off"]),
    ...(defaultPolicy === undefined ? [] : [`set the default policy to ${defaultPolicy}`]),
    ...(approvalTimeoutSeconds === undefined ? [] : [`set the approval time to ${approvalTimeoutSeconds} s`]),
  ].join(", ");
  return changes ? changes.charAt(0).toUpperCase() + changes.slice(1) : "Saved the configuration as it was";
}
