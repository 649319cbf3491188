import "server-only";
import { and, eq, gt, lte } from "drizzle-orm";
import type { ApprovalStatus } from "@/contracts/approvals";
import type { AuditEventName } from "@/contracts/audit";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvals } from "@/db/schema";
import { record } from "@/server/audit/record";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { queueDeliveries } from "@/server/webhooks/queue-deliveries";

export type ApprovalRow = typeof approvals.$inferSelect;
type Settled = Exclude<ApprovalStatus, "pending">;

const auditEvent: Record<Settled, AuditEventName> = {
  approved: "approval.approved",
  rejected: "approval.rejected",
  expired: "approval.expired",
  cancelled: "approval.cancelled",
  void: "approval.voided",
};

/**
 * The only way out of `pending`: one conditional update, so that of any number of answers exactly one counts. A person's
 * answer counts before the time is up, expiry after it. The caller holds the turn's lock.
 * @returns the settled row, or nothing when somebody was faster.
 */
export async function settleApproval(
  tx: Db,
  approvalId: string,
  to: { status: Settled; actor: ActorRef; comment?: string; requestId?: string | null },
): Promise<ApprovalRow | undefined> {
  const now = new Date();
  const inTime =
    to.status === "expired" ? lte(approvals.expiresAt, now) : to.status === "cancelled" ? undefined : gt(approvals.expiresAt, now);
  const [row] = await tx
    .update(approvals)
    .set({ status: to.status, decidedAt: now, decidedBy: to.actor, comment: to.comment ?? "" })
    .where(and(eq(approvals.id, approvalId), eq(approvals.status, "pending"), inTime))
    .returning();
  if (row) await announceSettled(tx, row, to);
  return row;
}

/** Takes back an approval that was given for something that has changed since. */
export async function voidApproval(tx: Db, approvalId: string, actor: ActorRef, drift: string[]): Promise<void> {
  const [row] = await tx
    .update(approvals)
    .set({ status: "void", drift })
    .where(and(eq(approvals.id, approvalId), eq(approvals.status, "approved")))
    .returning();
  if (row) await announceSettled(tx, row, { status: "void", actor });
}

async function announceSettled(
  tx: Db,
  row: ApprovalRow,
  to: { status: Settled; actor: ActorRef; comment?: string; requestId?: string | null },
): Promise<void> {
  const payload = { approvalId: row.id, status: to.status, by: to.actor, comment: row.comment, ...subjectOf(row) };
  // Sent together: none of them needs another's answer.
  await Promise.all([
    record(tx, {
      workspaceId: row.workspaceId,
      event: auditEvent[to.status],
      actor: to.actor,
      subject: row.id,
      tool: row.toolName,
      verdict: row.decision.verdict,
      conversationId: row.conversationId,
      turnId: row.turnId,
      callId: row.callId,
      data: {
        comment: row.comment,
        arguments: row.arguments,
        argumentsDigest: row.argumentsDigest,
        ruleId: row.decision.ruleId,
        drift: row.drift,
      },
      requestId: to.requestId ?? null,
    }),
    appendTurnEvents(tx, row.turnId, [
      {
        event: "approval.decided",
        data: { approvalId: row.id, callId: row.callId, status: to.status, by: to.actor, comment: row.comment },
      },
    ]),
    queueDeliveries(tx, [{ workspaceId: row.workspaceId, event: "approval.decided", turnId: row.turnId, payload }]),
    signalOnCommit(tx, { topic: "approval", workspaceId: row.workspaceId, id: row.id, event: "approval.decided" }),
  ]);
}

/** What webhooks are told of a question: enough to find it, without what the call's arguments hold. */
export function subjectOf({
  turnId,
  callId,
  conversationId,
  agent,
  toolName,
}: Pick<ApprovalRow, "turnId" | "callId" | "conversationId" | "agent" | "toolName">) {
  return { turnId, callId, conversationId, agent, tool: toolName };
}
