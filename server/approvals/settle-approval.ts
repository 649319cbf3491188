import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvals } from "@/db/schema";
import { auditJson } from "@/server/audit/audit-columns";
import { type AuditEntry, record } from "@/server/audit/record";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { afterConflicts } from "@/server/platform/after-conflicts";
import { type Signal, signalHere, signalOnCommit } from "@/server/platform/bus";
import { db, writerPool } from "@/server/platform/database";
import { groupCommit } from "@/server/platform/group-commit";
import { bootId } from "@/server/platform/ids";
import { processWide } from "@/server/platform/process-wide";
import { inTransaction } from "@/server/platform/statement-text";
import { storableText } from "@/server/platform/storable";
import { queueDeliveries, wantsWebhooks } from "@/server/webhooks/queue-deliveries";
import { type Settlement, settleStatement } from "./settle-statement";

export type ApprovalRow = typeof approvals.$inferSelect;

/** What ends a question: a person's vote, the end of its time, or the end of its turn. */
export type End = { actor: ActorRef; requestId?: string | null } & (
  | { status: "approved" | "rejected"; comment: string }
  | { status: "expired" | "cancelled" }
);

const auditEvent = {
  approved: "approval.approved",
  rejected: "approval.rejected",
  expired: "approval.expired",
  cancelled: "approval.cancelled",
  void: "approval.voided",
} as const satisfies Record<End["status"] | "void", AuditEventName>;

type Settled = { place: number };

/** Settlements that wait together are written by one statement, at most this many. */
const settledAtOnce = 256;

const commitSettlement = () =>
  processWide("settleApprovals", () =>
    groupCommit<Settlement, boolean>(
      async (settlements) => {
        const { text, parameters } = settleStatement(settlements);
        const rows = await writerPool().unsafe<Settled[]>(text, [...parameters], { prepare: true });
        const places = new Set(rows.map(({ place }) => place));
        return settlements.map((_, place) => places.has(place));
      },
      { atMost: settledAtOnce, beside: 1 },
    ),
  );

/**
 * The only way out of `pending`, one conditional update, so that of any number of answers exactly one counts: with its
 * vote, its audit row, its event and the mark that lets the turn go on, all of it or nothing.
 * @param tx the transaction to write in; without one, settlements of this moment are committed together
 * @returns the settled row, or nothing when somebody was faster or its time was up
 */
export async function settleApproval(approval: ApprovalRow, end: End, tx?: Db): Promise<ApprovalRow | undefined> {
  const settlement = settlementOf(approval, end, tx === undefined);
  if (!(await write(settlement, tx))) return undefined;
  const { status, at, actor, comment } = settlement;
  // Where turns are worked on in this process, nobody has to wait for the signal to come back.
  if (settlement.resumes && !tx) signalHere({ topic: "resume", turnId: approval.turnId });
  return { ...approval, status, decidedAt: at, decidedBy: actor, comment };
}

async function write(settlement: Settlement, tx: Db | undefined): Promise<boolean> {
  // Who holds a connection must not wait for another one, which looking for wishes may take.
  if (tx) return writeIn(tx, settlement);
  const isWanted = await wantsWebhooks(settlement.approval.workspaceId, "approval.decided");
  return afterConflicts(() => (isWanted ? db().transaction((tx) => writeIn(tx, settlement)) : commitSettlement()(settlement)));
}

async function writeIn(tx: Db, settlement: Settlement): Promise<boolean> {
  const { workspaceId, turnId } = settlement.approval;
  const rows = await tx.execute<Settled>(inTransaction(settleStatement([settlement])));
  if (rows.length === 0) return false;
  await queueDeliveries(tx, [{ workspaceId, event: "approval.decided", turnId, payload: payloadOf(settlement) }]);
  return true;
}

/** @param isToldHere whether this process is told of the answer without the signal: inside a transaction it is too early for that. */
function settlementOf(approval: ApprovalRow, end: End, isToldHere: boolean): Settlement {
  const { status, actor } = end;
  const isVote = status === "approved" || status === "rejected";
  const comment = isVote ? storableText(end.comment) : "";
  const { id, workspaceId, turnId, callId } = approval;
  // A turn that is cancelled is ended by who cancels it.
  const resumes = status !== "cancelled";
  return {
    approval,
    status,
    at: new Date(),
    actor,
    comment,
    vote: isVote ? (status === "approved" ? "approve" : "reject") : null,
    resumes,
    event: { approvalId: id, callId, status, by: actor, comment },
    audit: auditJson(auditEntry({ ...approval, comment }, { status, actor, requestId: end.requestId ?? null })),
    signals: [
      { topic: "approval", workspaceId, id, event: "approval.decided" },
      ...(resumes ? [{ topic: "resume", turnId, ...(isToldHere ? { by: bootId() } : {}) } satisfies Signal] : []),
    ],
  };
}

function payloadOf({ approval, status, actor, comment }: Settlement) {
  return { approvalId: approval.id, status, by: actor, comment, ...subjectOf(approval) };
}

/**
 * Takes back an approval that was given for something that has changed since, or a question whose answer nobody waits for
 * any more. The caller holds the turn's lock.
 * @param drift why, in words
 */
export async function voidApproval(tx: Db, approvalId: string, actor: ActorRef, drift: string[]): Promise<void> {
  const [row] = await tx
    .update(approvals)
    .set({
      status: "void",
      drift,
      decidedAt: sql`coalesce(${approvals.decidedAt}, now())`,
      decidedBy: sql`coalesce(${approvals.decidedBy}, ${JSON.stringify(actor)}::jsonb)`,
    })
    .where(and(eq(approvals.id, approvalId), inArray(approvals.status, ["approved", "pending"])))
    .returning();
  if (!row) return;
  const { workspaceId, turnId, callId, comment } = row;
  const data = { approvalId, callId, status: "void", by: actor, comment };
  const payload = { approvalId, status: "void", by: actor, comment, ...subjectOf(row) };
  // Sent together: none of them needs another's answer.
  await Promise.all([
    record(tx, auditEntry(row, { status: "void", actor, requestId: null })),
    appendTurnEvents(tx, turnId, [{ event: "approval.decided", data }]),
    queueDeliveries(tx, [{ workspaceId, event: "approval.decided", turnId, payload }]),
    signalOnCommit(tx, { topic: "approval", workspaceId, id: approvalId, event: "approval.decided" }),
  ]);
}

function auditEntry(
  row: ApprovalRow,
  { status, actor, requestId }: { status: End["status"] | "void"; actor: ActorRef; requestId: string | null },
): AuditEntry {
  return {
    workspaceId: row.workspaceId,
    event: auditEvent[status],
    actor,
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
    requestId,
  };
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
