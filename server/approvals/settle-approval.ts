import "server-only";
import { and, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import type postgres from "postgres";
import type { AuditEventName } from "@/contracts/audit";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { approvals } from "@/db/schema";
import { auditJson } from "@/server/audit/audit-columns";
import { type AuditEntry, record } from "@/server/audit/record";
import { conversationChanged } from "@/server/conversations/find-conversation";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { type Signal, signalHere, signalOnCommit } from "@/server/platform/bus";
import { db, writerPool } from "@/server/platform/database";
import { groupCommit } from "@/server/platform/group-commit";
import { bootId } from "@/server/platform/ids";
import { isEventWanted, publishEvents } from "@/server/platform/outbox";
import { processWide } from "@/server/platform/process-wide";
import { retryOnConflict } from "@/server/platform/retry-on-conflict";
import { inTransaction } from "@/server/platform/statement-text";
import { storableText } from "@/server/platform/storable";
import { type Settlement, settleStatement } from "./settle-statement";
import { toolSource } from "./tool-source";

export type ApprovalRow = typeof approvals.$inferSelect;

/** The end of an approval: a person's vote, the answer to a question, the expiry, or the cancellation of the turn. */
export type End = { actor: ActorRef; requestId?: string | null } & (
  | { status: "approved" | "rejected"; comment: string; voterId: string }
  /** For approvals of kind `question` only. */
  | { status: "answered"; text: string }
  | { status: "expired" | "cancelled" }
);

const auditEvent = {
  approved: "approval.approved",
  rejected: "approval.rejected",
  expired: "approval.expired",
  cancelled: "approval.cancelled",
  void: "approval.voided",
} as const satisfies Record<Exclude<End["status"], "answered"> | "void", AuditEventName>;

type Settled = { place: number; status: ApprovalRow["status"]; decidedAt: string | null; approvedBy: string[] };

/** Settlements in one group commit at most. */
const settledAtOnce = 256;

const commitSettlement = () =>
  processWide("settleApprovals", () =>
    groupCommit<Settlement, Settled | null>(
      async (settlements) => {
        const rounds = roundsOf(settlements);
        const settled = new Map<Settlement, Settled>();
        const writeRounds = async (sql: postgres.ISql) => {
          for (const round of rounds) {
            const { text, parameters } = settleStatement(round);
            for (const row of await sql.unsafe<Settled[]>(text, [...parameters], { prepare: true })) {
              const written = round[row.place];
              if (written) settled.set(written, row);
            }
          }
        };
        // One transaction for all rounds: group commit retries a refused group unit by unit, and a vote that an earlier
        // round had committed would then be rejected as a second vote of the same person.
        await (rounds.length > 1 ? writerPool().begin(writeRounds) : writeRounds(writerPool()));
        return settlements.map((settlement) => settled.get(settlement) ?? null);
      },
      { atMost: settledAtOnce, beside: 1 },
    ),
  );

/** A statement changes a row once, so answers of this moment to one approval take a statement each. */
function roundsOf(settlements: readonly Settlement[]): Settlement[][] {
  const rounds: Settlement[][] = [];
  for (let left = settlements; left.length > 0; ) {
    const round = [...new Map(left.toReversed().map((settlement) => [settlement.approval.id, settlement])).values()];
    rounds.push(round);
    // Also with a quorum of one, because the first answer may be refused and the next one then counts.
    left = left.filter((settlement) => !round.includes(settlement));
  }
  return rounds;
}

/**
 * Settles a pending approval with one conditional update, so that exactly one of any number of racing answers counts. The
 * vote, the audit row, the turn event and the turn's `answered_at` are written together or not at all.
 * @param tx the transaction to write in; without one, concurrent settlements are committed together
 * @returns the settled row, still pending while the quorum needs more votes; undefined when another answer came first, the
 *   approval has expired, the voter has voted before, or the call cannot run any more
 */
export async function settleApproval(approval: ApprovalRow, end: End, tx?: Db): Promise<ApprovalRow | undefined> {
  // Only without a transaction: `isEventWanted` may take a connection, and a caller that holds one must not wait for another.
  const isWanted = tx === undefined && (await isEventWanted(approval.workspaceId, "approval.decided"));
  // The settlement, with its audit row's id, is made before queueing, so that audit ids sort in the order of the votes.
  const settlement = settlementOf(approval, end, tx === undefined);
  const settled = await write(settlement, { tx, isWanted });
  if (!settled) return undefined;
  const { status, approvedBy } = settled;
  const decidedAt = settled.decidedAt === null ? null : new Date(settled.decidedAt);
  // The quorum needs more votes, so nothing is decided yet.
  if (status === "pending") return { ...approval, approvedBy };
  // Drops the cached conversation, so that a rejection counts as a refusal even before the turn resumes.
  conversationChanged(approval.conversationId);
  const { actor, comment } = settlement;
  // Resumes a turn of this process at once, because the signal from Postgres arrives later.
  if (settlement.resumes && !tx) signalHere({ topic: "resume", turnId: approval.turnId });
  return { ...approval, status, decidedAt, decidedBy: actor, comment, approvedBy };
}

async function write(settlement: Settlement, { tx, isWanted }: { tx: Db | undefined; isWanted: boolean }): Promise<Settled | null> {
  if (tx) return writeIn(tx, settlement);
  return retryOnConflict(() => (isWanted ? db().transaction((tx) => writeIn(tx, settlement)) : commitSettlement()(settlement)));
}

async function writeIn(tx: Db, settlement: Settlement): Promise<Settled | null> {
  const { workspaceId, turnId } = settlement.approval;
  const [row] = await tx.execute<Settled>(inTransaction(settleStatement([settlement])));
  if (!row) return null;
  if (row.status !== "pending") {
    await publishEvents(tx, [{ workspaceId, event: "approval.decided", turnId, payload: payloadOf(settlement) }]);
  }
  return row;
}

/** @param isToldHere whether `signalHere` tells this process; false inside a transaction, which has not committed yet */
function settlementOf(approval: ApprovalRow, end: End, isToldHere: boolean): Settlement {
  const { status, actor } = end;
  const isVote = status === "approved" || status === "rejected";
  const comment = isVote ? storableText(end.comment) : "";
  const { id, workspaceId, turnId, callId } = approval;
  // A cancelled turn is ended by the code that cancels it. A question's turn is not suspended, because its tool is running.
  const isQuestion = approval.kind === "question";
  const resumes = status !== "cancelled" && !isQuestion;
  return {
    approval,
    status,
    actor,
    comment,
    voterId: isVote ? end.voterId : null,
    vote: isVote ? (status === "approved" ? "approve" : "reject") : null,
    resumes,
    isQuestion,
    event: { approvalId: id, callId, status, by: actor, comment },
    audit: auditJson(
      end.status === "answered"
        ? answeredEntry(approval, end)
        : auditEntry({ ...approval, comment }, { status: end.status, actor, requestId: end.requestId ?? null }),
    ),
    signals: [
      { topic: "approval", workspaceId, conversationId: approval.conversationId, id, event: "approval.decided" },
      ...(resumes ? [{ topic: "resume", turnId, ...(isToldHere ? { by: bootId() } : {}) } satisfies Signal] : []),
      ...(isQuestion ? [{ topic: "turn", turnId } satisfies Signal] : []),
    ],
  };
}

function payloadOf({ approval, status, actor, comment }: Settlement) {
  return { approvalId: approval.id, status, by: actor, comment, ...toWebhookSubject(approval) };
}

/**
 * Voids an approval whose call has changed since it was approved, or a pending approval that no call waits for any more.
 * The caller holds the turn's lock.
 * @param drift the reasons, as sentences
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
    .returning({ ...getTableColumns(approvals), source: toolSource });
  if (!row) return;
  const { workspaceId, turnId, callId, comment } = row;
  const data = { approvalId, callId, status: "void", by: actor, comment };
  const payload = { approvalId, status: "void", by: actor, comment, ...toWebhookSubject(row) };
  // Concurrent, because no statement needs the result of another.
  await Promise.all([
    record(tx, auditEntry({ ...row, toolSource: row.source ?? row.toolSource }, { status: "void", actor, requestId: null })),
    appendTurnEvents(tx, turnId, [{ event: "approval.decided", data }]),
    publishEvents(tx, [{ workspaceId, event: "approval.decided", turnId, payload }]),
    signalOnCommit(tx, { topic: "approval", workspaceId, conversationId: row.conversationId, id: approvalId, event: "approval.decided" }),
  ]);
}

function answeredEntry(row: ApprovalRow, { actor, text, requestId = null }: Extract<End, { status: "answered" }>): AuditEntry {
  const { workspaceId, toolName, agent, toolSource: source, conversationId, turnId, callId } = row;
  const data = { approvalId: row.id, question: row.question?.number ?? 0, text };
  return {
    workspaceId,
    event: "call.answered",
    actor,
    subject: toolName,
    tool: toolName,
    agent,
    source,
    conversationId,
    turnId,
    callId,
    data,
    requestId,
  };
}

function auditEntry(
  row: Omit<ApprovalRow, "toolSource"> & { toolSource: string },
  { status, actor, requestId }: { status: keyof typeof auditEvent; actor: ActorRef; requestId: string | null },
): AuditEntry {
  return {
    workspaceId: row.workspaceId,
    event: auditEvent[status],
    actor,
    subject: row.id,
    tool: row.toolName,
    agent: row.agent,
    source: row.toolSource,
    verdict: row.decision.verdict,
    conversationId: row.conversationId,
    turnId: row.turnId,
    callId: row.callId,
    data: {
      comment: row.comment,
      arguments: row.arguments,
      ...(row.editedArguments ? { editedArguments: row.editedArguments } : {}),
      argumentsDigest: row.argumentsDigest,
      ruleId: row.decision.ruleId,
      drift: row.drift,
    },
    requestId,
  };
}

/** Returns the webhook payload's members that identify an approval's call, without its arguments. */
export function toWebhookSubject({
  turnId,
  callId,
  conversationId,
  agent,
  toolName,
}: Pick<ApprovalRow, "turnId" | "callId" | "conversationId" | "agent" | "toolName">) {
  return { turnId, callId, conversationId, agent, tool: toolName };
}
