import "server-only";
import { and, eq, getTableColumns, isNull, lte, sql } from "drizzle-orm";
import { approvals } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { publishEvents } from "@/server/platform/outbox";
import { toWebhookSubject } from "./settle-approval";
import { toolSource } from "./tool-source";

const atOnce = 64;

const isDue = and(eq(approvals.status, "pending"), isNull(approvals.escalatedAt), lte(approvals.escalatesAt, sql`now()`));

/** Announces a due escalation once; `escalatedAt` marks an approval whose escalation was announced. */
export async function escalateApproval(approvalId: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .update(approvals)
      .set({ escalatedAt: sql`now()` })
      .where(and(eq(approvals.id, approvalId), isDue))
      .returning({ ...getTableColumns(approvals), source: toolSource });
    if (!row) return;
    const { id, workspaceId, conversationId, turnId, callId } = row;
    const to = row.approvers?.escalation ?? { roles: [], users: [] };
    await record(tx, {
      workspaceId,
      event: "approval.escalated",
      actor: systemActor,
      subject: id,
      tool: row.toolName,
      agent: row.agent,
      source: row.source ?? row.toolSource,
      conversationId,
      turnId,
      callId,
      data: { to },
    });
    const payload = { approvalId: id, to, expiresAt: row.expiresAt.toISOString(), ...toWebhookSubject(row) };
    await publishEvents(tx, [{ workspaceId, event: "approval.escalated", turnId, payload }]);
    await signalOnCommit(tx, { topic: "approval", workspaceId, conversationId, id, event: "approval.escalated" });
  });
}

/** Escalates approvals that are due but were not announced, because the work item was lost or predates the queue. */
export async function escalateDueApprovals(): Promise<void> {
  const due = await db().select({ id: approvals.id }).from(approvals).where(isDue).orderBy(approvals.escalatesAt).limit(atOnce);
  for (const { id } of due) await escalateApproval(id);
}
