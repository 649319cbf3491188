import "server-only";
import { and, eq } from "drizzle-orm";
import type { GuardConfig, GuardRule } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { guardConfig, guardRules, guardVersions } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { changePolicy } from "../change-policy";
import { presentConfig } from "../rules/guard-config";
import { deleteRules, writeRules } from "../rules/write-rules";
import { readSnapshot } from "./read-snapshot";
import { wholeSnapshot } from "./snapshots";

/**
 * Restores an earlier version of the policy as a new version, so that the history stays complete.
 * @param policyVersion from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function restoreVersion(
  actor: Authorized<"guard:write">,
  version: number,
  policyVersion: number | null = null,
): Promise<GuardConfig> {
  const { workspaceId } = actor;
  const { config } = await changePolicy(actor, async (tx, current) => {
    if (policyVersion !== null && policyVersion !== current.policyVersion) {
      throw new AppError("stale_version", "Somebody changed the policy meanwhile. Look at the versions again and repeat it.");
    }
    const [earlier] = await tx
      .select()
      .from(guardVersions)
      .where(and(eq(guardVersions.workspaceId, workspaceId), eq(guardVersions.version, version)));
    if (!earlier) throw new AppError("not_found", `There is no version ${version} of the policy. Choose one of the list.`);
    const { config, own } = readSnapshot(await wholeSnapshot(tx, earlier));
    await tx.update(guardConfig).set(config).where(eq(guardConfig.workspaceId, workspaceId));
    await replaceRules(tx, workspaceId, own);
    const data = { restored: version, old: current.policyVersion, rules: own.length };
    return { answer: null, event: "guard_version.restored", subject: String(version), summary: `Restored version ${version}`, data };
  });
  return presentConfig(config);
}

/** Replaces the rules. Ids stay, so that approvals and audit rows find their rules; versions grow, so that old etags stay stale. */
async function replaceRules(tx: Db, workspaceId: string, rules: readonly GuardRule[]): Promise<void> {
  const own = eq(guardRules.workspaceId, workspaceId);
  const present = await tx.select({ id: guardRules.id, version: guardRules.version }).from(guardRules).where(own);
  const versions = new Map(present.map(({ id, version }) => [id, version]));
  const kept = new Set(rules.map(({ id }) => id));
  const gone = present.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  await deleteRules(tx, workspaceId, gone);
  const updatedAt = sharedNow().toISOString();
  const next = ({ id, version }: GuardRule) => Math.max(version, versions.get(id) ?? 0) + 1;
  await writeRules(
    tx,
    workspaceId,
    rules.map((rule) => ({ ...rule, version: next(rule), updatedAt })),
  );
}
