import type { DecisionPlace } from "@/contracts/approvals/approvals";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { TurnEventName } from "@/contracts/turns/turns";
import type { approvals } from "@/db/schema";
import { auditJson } from "@/server/audit/audit-columns";
import type { AuditEntry } from "@/server/audit/record";
import { storableText } from "@/server/platform/database/storable";
import type { PublishedEvent } from "@/server/platform/extension-points/outbox";
import { bootId } from "@/server/platform/ids";
import type { Signal } from "@/server/platform/signals/bus";
import { summarizeCall } from "./describe-approval";
import { toldArguments } from "./told-edit";

export type ApprovalRow = typeof approvals.$inferSelect;

/** An event of an approval: a person's vote, the answer to a question, its expiry, cancellation, drift or escalation. */
export type End = { actor: ActorRef; requestId?: string | null /** The place of a person's decision. */; from?: DecisionPlace | null } & (
  | { status: "approved" | "rejected"; comment: string; voterId: string }
  /** For approvals of kind `question` only; `call` is the call that asks, as its runtime knows it. */
  | { status: "answered"; text: string; call: { id: string; name: string } }
  | { status: "expired" | "cancelled" }
  /** The call has changed since it was approved, or no call waits for the answer any more; `drift` says why in sentences. */
  | { status: "void"; drift: string[] /** The suspended turn resumes and asks anew. */; resumesTurn?: true }
  /** Further approvers may decide from now on; the approval stays pending. */
  | { status: "escalated" }
);

/** The settling of one approval, with its turn events, audit row, signals and published event. */
export type Settlement = {
  approval: ApprovalRow;
  status: End["status"];
  actor: ActorRef;
  /** The place of a person's decision. */
  from: DecisionPlace | null;
  comment: string;
  vote: "approve" | "reject" | null;
  /** Id of the person behind the vote. */
  voterId: string | null;
  /** New reasons of drift; null keeps those of the row. */
  drift: string[] | null;
  /** The question with its answer; null keeps that of the row. */
  question: ApprovalRow["question"];
  /** Whether the suspended turn resumes. */
  resumes: boolean;
  /** Whether the turn's version stays, because the replica that runs the turn, or the caller's transaction, relies on it. */
  keepsVersion: boolean;
  events: readonly { event: TurnEventName; data: JsonObject }[];
  audit: ReturnType<typeof auditJson>;
  signals: readonly Signal[];
  published: PublishedEvent;
};

const auditEvents = {
  approved: "approval.approved",
  rejected: "approval.rejected",
  answered: "call.answered",
  expired: "approval.expired",
  cancelled: "approval.cancelled",
  void: "approval.voided",
  escalated: "approval.escalated",
} as const satisfies Record<End["status"], AuditEventName>;

/**
 * Builds the settlement of an approval.
 * @param isToldHere whether `signalHere` tells this process; false inside a transaction, which has not committed yet
 */
export function toSettlement(approval: ApprovalRow, end: End, isToldHere: boolean): Settlement {
  const { id, workspaceId, conversationId, turnId, callId } = approval;
  const { status, actor } = end;
  const isVote = status === "approved" || status === "rejected";
  const comment = isVote ? storableText(end.comment) : status === "void" ? approval.comment : "";
  const drift = status === "void" ? end.drift : null;
  const question = status === "answered" && approval.question ? { ...approval.question, answer: storableText(end.text) } : null;
  // A question's turn is not suspended, because its tool is running. Whoever cancels or voids ends or saves the turn.
  const isQuestion = approval.kind === "question";
  const isAskedAnew = status === "void" && end.resumesTurn === true;
  const resumes = !isQuestion && (isVote || status === "expired" || isAskedAnew);
  const published = publishedEvent({ ...approval, comment }, end);
  return {
    approval,
    status,
    actor,
    from: end.from ?? null,
    comment,
    vote: isVote ? (status === "approved" ? "approve" : "reject") : null,
    voterId: isVote ? end.voterId : null,
    drift,
    question,
    resumes,
    keepsVersion: isQuestion || (status === "void" && !isAskedAnew),
    events: turnEvents({ ...approval, comment, question }, end),
    audit: auditJson(auditEntry({ ...approval, comment, question, drift: drift ?? approval.drift }, end)),
    signals: [
      { topic: "approval", workspaceId, conversationId, id, event: published.event as "approval.decided" | "approval.escalated" },
      ...(resumes ? [{ topic: "resume", turnId, ...(isToldHere ? { by: bootId() } : {}) } satisfies Signal] : []),
      ...(isQuestion && status !== "escalated" ? [{ topic: "turn", turnId } satisfies Signal] : []),
    ],
    published,
  };

  function turnEvents({ comment, question }: Pick<ApprovalRow, "comment" | "question">, end: End): Settlement["events"] {
    if (end.status === "escalated") return [];
    const edit = approval.editedArguments ? toldArguments({ ...approval, decidedBy: approval.decidedBy ?? actor }) : {};
    const decided = {
      event: "approval.decided" as const,
      data: { approvalId: id, callId, status: end.status, by: actor, comment, ...edit },
    };
    if (end.status !== "answered") return [decided];
    const data = { callId, ...end.call, question: question?.number ?? 0, text: question?.answer ?? "", by: actor };
    return [decided, { event: "call.answered", data }];
  }
}

const escalatedTo = ({ approvers }: ApprovalRow) => approvers?.escalation ?? { roles: [], users: [] };

function publishedEvent(row: ApprovalRow, { status, actor, from }: End): PublishedEvent {
  const { id: approvalId, workspaceId, turnId, comment } = row;
  const subject = toWebhookSubject(row);
  if (status !== "escalated") {
    return {
      workspaceId,
      event: "approval.decided",
      turnId,
      payload: {
        approvalId,
        status,
        by: actor,
        comment,
        ...(from ? { decidedFrom: from } : {}),
        ...subject,
        ...(row.editedArguments
          ? { editedBy: row.decidedBy ?? actor, askedSummary: summarizeCall(row.arguments, row.primaryArgument) }
          : {}),
      },
    };
  }
  const payload = { approvalId, to: escalatedTo(row), expiresAt: row.expiresAt.toISOString(), ...subject };
  return { workspaceId, event: "approval.escalated", turnId, payload };
}

function auditEntry(row: ApprovalRow, { status, actor, requestId = null, from }: End): AuditEntry {
  const { workspaceId, conversationId, turnId, callId, agent } = row;
  const event = auditEvents[status];
  const about = { workspaceId, event, actor, tool: row.toolName, agent, source: row.toolSource, conversationId, turnId, callId, requestId };
  if (status === "answered") {
    const data = {
      approvalId: row.id,
      question: row.question?.number ?? 0,
      text: row.question?.answer ?? "",
      ...(from ? { decidedFrom: from } : {}),
    };
    return { ...about, subject: row.toolName, data };
  }
  if (status === "escalated") return { ...about, subject: row.id, data: { to: escalatedTo(row) } };
  return {
    ...about,
    subject: row.id,
    verdict: row.decision.verdict,
    data: {
      comment: row.comment,
      ...(from ? { decidedFrom: from } : {}),
      ...toldArguments({ ...row, decidedBy: row.decidedBy ?? actor }),
      argumentsDigest: row.argumentsDigest,
      actionHash: row.decision.actionHash ?? null,
      ruleId: row.decision.ruleId,
      drift: row.drift,
    },
  };
}

/** Returns the webhook payload's members that identify an approval's call: its arguments only as one masked line. */
export function toWebhookSubject({
  turnId,
  callId,
  conversationId,
  agent,
  toolName,
  summary,
}: Pick<ApprovalRow, "turnId" | "callId" | "conversationId" | "agent" | "toolName" | "summary">) {
  return { turnId, callId, conversationId, agent, tool: toolName, summary };
}
