import "server-only";
import type { AuditSettings, AuditSettingsPatch } from "@/contracts/audit/audit-retention";
import { auditSettings } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { defineSettings } from "@/server/resources/define-settings";

type Row = typeof auditSettings.$inferSelect;
export type KeptDays = Pick<Row, "callDays" | "configurationDays" | "signInDays">;
type Choices = KeptDays & Pick<Row, "archiveMonths">;

const daysOf = ({ callDays, configurationDays, signInDays }: KeptDays): KeptDays => ({ callDays, configurationDays, signInDays });
const keepAll: KeptDays = { callDays: 0, configurationDays: 0, signInDays: 0 };

const choicesOf = (row: Choices): Choices => ({ ...daysOf(row), archiveMonths: row.archiveMonths });

const settings = defineSettings({ table: auditSettings, event: "audit_settings.updated", inAudit: choicesOf });

/** Returns for how many days a workspace keeps each kind of audit rows; 0 keeps them. */
export async function readKeptDays(workspaceId: string): Promise<KeptDays> {
  return daysOf((await settings.find(workspaceId)) ?? keepAll);
}

export async function getAuditSettings({ workspaceId }: Authorized<"audit:read">): Promise<AuditSettings> {
  const row = await settings.find(workspaceId);
  return row && row.version > 0 ? present(row) : { ...keepAll, archiveMonths: 0, version: 0, updatedAt: null };
}

/** Changes the given days. @param version from If-Match @throws AppError `stale_version` */
export async function updateAuditSettings(
  actor: Authorized<"audit:retain">,
  patch: AuditSettingsPatch,
  version: number | null,
): Promise<AuditSettings> {
  return present(await settings.change(actor, version, (before) => ({ set: { ...choicesOf(before), ...patch } })));
}

const present = (row: Row): AuditSettings => ({ ...choicesOf(row), version: row.version, updatedAt: row.updatedAt.toISOString() });
