import "server-only";
import { and, eq, notInArray } from "drizzle-orm";
import type { GuardConfig, GuardRule } from "@/contracts/guard";
import type { Db } from "@/db/client";
import { guardConfig, guardRules, guardVersions } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { changePolicy } from "./change-policy";
import { presentConfig } from "./guard-config";
import { settingsBefore } from "./policy-settings";

/**
 * Makes an earlier version of the policy the current one again, as a new version: nothing of the history is lost.
 * @throws AppError `not_found`
 */
export async function restoreVersion(actor: Holder<"guard:write">, version: number): Promise<GuardConfig> {
  const { workspaceId } = actor;
  const { config } = await changePolicy(actor, async (tx, current) => {
    const [earlier] = await tx
      .select({ snapshot: guardVersions.snapshot })
      .from(guardVersions)
      .where(and(eq(guardVersions.workspaceId, workspaceId), eq(guardVersions.version, version)));
    if (!earlier) throw new AppError("not_found", `There is no version ${version} of the policy. Choose one of the list.`);
    await tx
      .update(guardConfig)
      .set({ ...settingsBefore, ...earlier.snapshot.config })
      .where(eq(guardConfig.workspaceId, workspaceId));
    await replaceRules(tx, workspaceId, earlier.snapshot.rules);
    const data = { restored: version, old: current.policyVersion, rules: earlier.snapshot.rules.length };
    return { answer: null, event: "guard_version.restored", subject: String(version), summary: `Restored version ${version}`, data };
  });
  return presentConfig(config);
}

/** Rules keep their ids, so that approvals and the audit still find them, and count on, so that old etags stay old. */
async function replaceRules(tx: Db, workspaceId: string, rules: readonly GuardRule[]): Promise<void> {
  const ids = rules.map(({ id }) => id);
  const own = eq(guardRules.workspaceId, workspaceId);
  const present = await tx.select({ id: guardRules.id, version: guardRules.version }).from(guardRules).where(own);
  const versions = new Map(present.map(({ id, version }) => [id, version]));
  await tx.delete(guardRules).where(ids.length > 0 ? and(own, notInArray(guardRules.id, ids)) : own);
  for (const { createdAt, updatedAt, expiresAt, version, ...content } of rules) {
    const row = {
      ...content,
      workspaceId,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      version: Math.max(version, versions.get(content.id) ?? 0) + 1,
    };
    await tx
      .insert(guardRules)
      .values({ ...row, createdAt: new Date(createdAt) })
      .onConflictDoUpdate({ target: guardRules.id, set: { ...row, updatedAt: new Date() } });
  }
}
