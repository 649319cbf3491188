import "server-only";
import { inArray, sql } from "drizzle-orm";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { RequesterMayDecide } from "@/contracts/decisions/approvers";
import type { Decision, Finding } from "@/contracts/decisions/decision";
import type { Role } from "@/contracts/permissions";
import { sourceLabel, type ToolEffect, type ToolSource } from "@/contracts/tools/tools";
import type { Db } from "@/db/client";
import { type Approvers, type AskedQuestion, approvals, conversations, guardConfig, users } from "@/db/schema";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { notEvaluated } from "@/server/guard/not-evaluated";
import { publishEvents } from "@/server/platform/extension-points/outbox";
import { enqueue } from "@/server/platform/queue";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { maskInText } from "@/server/secrets/mask-secrets";
import { escalationQueue, expiryQueue } from "./approval-queues";
import { argumentsDigest, definitionHash } from "./arguments-digest";
import { assessRisk, oneLine, summarizeCall } from "./describe-approval";
import { toWebhookSubject } from "./settlement";

const defaultTimeoutSeconds = 1_800;

export type Question = {
  id: string;
  requestedAt: Date;
  expiresAt: Date;
  requesterMayDecide: RequesterMayDecide;
  workspaceId: string;
  conversationId: string;
  turnId: string;
  callId: string;
  agent: string;
  requestedBy: ActorRef;
  tool: {
    name: string;
    title: string;
    source: ToolSource;
    /** Alias of the MCP server. */
    sourceName: string | null;
    effect: ToolEffect;
    primaryArgument: string | null;
    schemaHash: string;
    pinHash?: string | null;
  };
  arguments: JsonObject;
  decision: Decision;
  /** Coarse description of the call, by which the inbox groups similar approvals. */
  shape: string;
  /** The question of a running tool; present for approvals of kind `question` only. */
  question?: AskedQuestion;
  /** The files for whose contents the approval will hold. */
  contents?: KeptContents | null;
  /** Whether the turn is told as suspended for this; by default for every approval but the question of a running tool. */
  suspendsTurn?: boolean;
  /** Sentences about changes since an earlier approval of the same call. */
  drift: string[];
};

type Asking = { requestedAt: Date; expiresAt: Date; requesterMayDecide: RequesterMayDecide };

/**
 * Returns the start and the expiry of an approval requested now, and whether its requester may decide it.
 * @param atMostSeconds time after which nobody waits for the answer any more
 */
export async function approvalExpiry(tx: Db, workspaceId: string, atMostSeconds = Number.POSITIVE_INFINITY): Promise<Asking> {
  // The database's clock counts, because replicas' clocks differ. A workspace without a policy has the default timeout.
  const [row] = await tx.execute<{ requestedAt: string; seconds: number | null; requester: RequesterMayDecide | null }>(sql`
    select date_trunc('milliseconds', clock_timestamp()) as "requestedAt",
      approval_timeout_seconds as seconds, requester_may_decide as requester
    from (select) as one left join ${guardConfig} on workspace_id = ${workspaceId}`);
  if (!row) throw new Error("the database told no time");
  const requestedAt = new Date(row.requestedAt);
  const expiresAt = new Date(requestedAt.getTime() + Math.min(row.seconds ?? defaultTimeoutSeconds, atMostSeconds) * 1_000);
  return { requestedAt, expiresAt, requesterMayDecide: row.requester ?? "not_critical" };
}

/** Tells whether the requester may not decide. Questions never exclude the requester, because they are for that person. */
function isRequesterExcluded({ question, requestedBy, requesterMayDecide }: Question, risk: Finding["severity"]): boolean {
  if (question || requestedBy.type !== "user") return false;
  return requesterMayDecide === "never" || (requesterMayDecide === "not_critical" && risk === "critical");
}

/** Returns the approvers of a decision, with the users' current names. */
async function approversOf(tx: Db, { approvers }: Decision): Promise<Approvers | null> {
  if (!approvers) return null;
  const ids = [...approvers.users, ...(approvers.escalation?.users ?? [])];
  const named = ids.length === 0 ? [] : await tx.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids));
  const people = (of: { roles: Role[]; users: string[] }) => ({ roles: of.roles, users: named.filter(({ id }) => of.users.includes(id)) });
  // An empty list would admit every approver. When all named users are gone, their ids stay, so that nobody may decide.
  const asWritten = (of: { roles: Role[]; users: string[] }) => {
    const found = people(of);
    const isNobody = of.roles.length + of.users.length > 0 && found.roles.length + found.users.length === 0;
    return isNobody ? { ...found, users: of.users.map((id) => ({ id, name: "a person who was removed" })) } : found;
  };
  return { ...asWritten(approvers), escalation: approvers.escalation && asWritten(approvers.escalation) };
}

/**
 * Asks people whether a call may run, or asks them the question of a running tool. The approval and its audit row commit
 * with the caller's transaction, which has written the turn and the call.
 */
export async function askApproval(tx: Db, question: Question): Promise<void> {
  const { id, workspaceId, conversationId, requestedAt, decision } = question;
  const summary = summaryOf(question);
  const { escalation } = decision.approvers ?? {};
  const escalatesAt = escalation ? new Date(requestedAt.getTime() + escalation.afterSeconds * 1_000) : null;
  await insertApproval(tx, question, { summary, escalatesAt });
  await recordRequest(tx, question);
  const due = { workspaceId, input: { approvalId: id } };
  await Promise.all([
    enqueue(tx, expiryQueue, [{ ...due, startAfter: question.expiresAt }]),
    escalatesAt && enqueue(tx, escalationQueue, [{ ...due, startAfter: escalatesAt }]),
  ]);
  await publishRequest(tx, question, summary);
  await signalOnCommit(tx, { topic: "approval", workspaceId, conversationId, id, event: "approval.requested" });
}

function summaryOf({ question, tool, arguments: args }: Question): string {
  return question ? oneLine(maskInText(question.text)) : summarizeCall(args, tool.primaryArgument);
}

async function insertApproval(tx: Db, question: Question, row: { summary: string; escalatesAt: Date | null }): Promise<void> {
  const { tool, decision } = question;
  const risk = question.question ? "info" : assessRisk(decision, tool.effect);
  await tx.insert(approvals).values({
    id: question.id,
    kind: question.question ? "question" : "call",
    workspaceId: question.workspaceId,
    conversationId: question.conversationId,
    turnId: question.turnId,
    callId: question.callId,
    agent: question.agent,
    toolName: tool.name,
    toolTitle: tool.title,
    toolSource: tool.source,
    toolEffect: tool.effect,
    primaryArgument: tool.primaryArgument,
    arguments: maskedArguments(question.arguments),
    argumentsDigest: argumentsDigest({ toolName: tool.name, arguments: question.arguments, definitionHash: definitionHash(tool) }),
    decision,
    ruleId: decision.ruleId,
    ruleName: decision.trace.find(({ ruleId }) => ruleId === decision.ruleId)?.ruleName ?? null,
    summary: row.summary,
    shape: maskInText(question.shape),
    risk,
    approvers: await approversOf(tx, decision),
    requesterExcluded: isRequesterExcluded(question, risk),
    quorumNeeded: decision.approvers?.quorum ?? 1,
    escalatesAt: row.escalatesAt,
    question: question.question ?? null,
    requestedBy: question.requestedBy,
    // Read here, so that every kind of question says who handed the task on.
    delegators: sql`(select ${conversations.delegators} from ${conversations} where ${conversations.id} = ${question.conversationId})`,
    requestedAt: question.requestedAt,
    expiresAt: question.expiresAt,
    drift: question.drift,
    contents: question.contents ?? null,
  });
}

async function recordRequest(tx: Db, question: Question): Promise<void> {
  const { tool } = question;
  await record(tx, {
    workspaceId: question.workspaceId,
    event: "approval.requested",
    actor: systemActor,
    subject: question.id,
    tool: tool.name,
    agent: question.agent,
    source: sourceLabel(tool),
    verdict: "require_approval",
    conversationId: question.conversationId,
    turnId: question.turnId,
    callId: question.callId,
    data: {
      arguments: question.arguments,
      reason: question.decision.reason,
      ruleId: question.decision.ruleId,
      policyVersion: question.decision.policyVersion,
      actionHash: question.decision.actionHash ?? null,
      ...notEvaluated(question.decision),
      requestedBy: question.requestedBy,
      expiresAt: question.expiresAt.toISOString(),
      drift: question.drift,
    },
  });
}

/** Publishes the request, and the suspension of its turn. */
async function publishRequest(tx: Db, question: Question, summary: string): Promise<void> {
  const { id, workspaceId, turnId, tool } = question;
  const payload = {
    approvalId: id,
    kind: question.question ? "question" : "call",
    reason: question.decision.reason,
    expiresAt: question.expiresAt.toISOString(),
    ...toWebhookSubject({ ...question, toolName: tool.name, summary }),
  };
  await publishEvents(tx, [
    { workspaceId, event: "approval.requested", turnId, payload },
    // A question suspends no turn, because the tool that asks goes on running. Of calls that are asked together, the first one does.
    ...((question.suspendsTurn ?? !question.question) ? [{ workspaceId, event: "turn.suspended" as const, turnId, payload }] : []),
  ]);
}
