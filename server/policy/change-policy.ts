import "server-only";
import { asc, desc, eq } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { guardConfig, guardRules, guardVersions } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { policyChanged } from "./policy";
import { policyFile } from "./policy-file/policy-file";
import type { GuardConfigRow } from "./rules/guard-config-row";
import type { GuardRuleRow } from "./rules/present-rule";
import { snapshotToKeep } from "./versions/snapshots";

/** The result of a change, with its audit event and its line in the list of versions. */
export type PolicyChange<Answer> = {
  answer: Answer;
  event: AuditEventName;
  subject: string | null;
  /** One line for the list of versions: "Added the rule ..." */
  summary: string;
  /** Old and new. */
  data: JsonObject;
};

/**
 * Changes the policy of a workspace in one transaction with a new version of the whole policy and the audit row. The lock
 * on the `guard_config` row serializes changes of a workspace, so that version numbers have no gaps and no duplicates.
 */
export async function changePolicy<Answer>(
  { workspaceId, requestId, ...actor }: Authorized<"guard:write">,
  change: (tx: Db, current: GuardConfigRow) => Promise<PolicyChange<Answer>>,
): Promise<{ answer: Answer; config: GuardConfigRow }> {
  const changed = await changePolicyAs({ workspaceId, requestId, actor: toActorRef(actor) }, change);
  if (!changed) throw new Error("A change was made and not found");
  return changed;
}

type ChangedBy = { workspaceId: string; requestId: string | null; actor: ActorRef };

/** Changes the policy as any actor, such as the system for the policy file. @returns null when nothing had to change */
export async function changePolicyAs<Answer>(
  { workspaceId, requestId, actor }: ChangedBy,
  change: (tx: Db, current: GuardConfigRow) => Promise<PolicyChange<Answer> | null>,
): Promise<{ answer: Answer; config: GuardConfigRow } | null> {
  const changed = await db().transaction(async (tx) => {
    const [current] = await tx.select().from(guardConfig).where(eq(guardConfig.workspaceId, workspaceId)).for("update");
    if (!current) throw new Error("this workspace has no policy");
    const made = await change(tx, current);
    if (!made) return null;
    const { answer, summary, event, subject, data } = made;
    const [config] = await tx
      .update(guardConfig)
      .set({ policyVersion: current.policyVersion + 1, policyFileDigest: policyFile()?.file.digest ?? null })
      .where(eq(guardConfig.workspaceId, workspaceId))
      .returning();
    if (!config) throw new Error("a locked policy was not updated");
    const version = config.policyVersion;
    await tx.insert(guardVersions).values({ workspaceId, version, ...(await snapshotToKeep(tx, config)), summary, actor });
    const entry = { workspaceId, event, subject, actor, requestId };
    await recordConfigChange(tx, { ...entry, data: { ...data, policyVersion: version } });
    return { answer, config };
  });
  if (changed) policyChanged(workspaceId);
  return changed;
}

/** Reads the rules of a workspace in the order in which they are tried. */
export function rulesInOrder(tx: Db, workspaceId: string): Promise<GuardRuleRow[]> {
  return tx.select().from(guardRules).where(eq(guardRules.workspaceId, workspaceId)).orderBy(desc(guardRules.priority), asc(guardRules.id));
}
