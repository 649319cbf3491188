import "server-only";
import { type AuditHoldDraft, auditRetentionEndpoints } from "@/contracts/audit/audit-retention";
import { auditHolds as auditHoldTable } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";
import { assertSpan } from "../assert-span";

type Row = typeof auditHoldTable.$inferSelect;

const iso = (time: Date | null) => time?.toISOString() ?? null;
const viewOf = ({ name, kind, subject, heldFrom, heldTo }: Row) => ({ name, kind, subject, from: iso(heldFrom), to: iso(heldTo) });

export const auditHolds = defineResource({
  table: auditHoldTable,
  endpoints: {
    list: auditRetentionEndpoints.holds,
    create: auditRetentionEndpoints.createHold,
    remove: auditRetentionEndpoints.removeHold,
  },
  noun: "audit hold",
  present: (rows) => rows.map((row) => ({ id: row.id, ...viewOf(row), version: row.version, createdAt: row.createdAt.toISOString() })),
  inAudit: viewOf,
  toColumns: (draft) => {
    assertWhole(draft);
    const { name, kind, subject, from, to } = draft;
    return {
      name,
      kind,
      subject: kind === "period" ? null : subject,
      heldFrom: from ? new Date(from) : null,
      heldTo: to ? new Date(to) : null,
    };
  },
  isUncached: true,
});

function assertWhole({ kind, subject, from, to }: AuditHoldDraft): void {
  if (kind !== "period" && subject === null) {
    throw new AppError("invalid", kind === "person" ? "Name the person's id in `subject`." : "Name the agent in `subject`.");
  }
  if (kind === "period" && from === null && to === null) throw new AppError("invalid", "A period needs `from` or `to`.");
  assertSpan({ from, to });
}
