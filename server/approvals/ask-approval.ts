import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decision";
import type { ToolEffect, ToolSource } from "@/contracts/tools";
import type { Db } from "@/db/client";
import { approvals, guardConfig } from "@/db/schema";
import { maskedArguments } from "@/server/audit/kept-arguments";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { notEvaluated } from "@/server/guard/not-evaluated";
import { signalOnCommit } from "@/server/platform/bus";
import { queue } from "@/server/platform/queue";
import { queueDeliveries } from "@/server/webhooks/queue-deliveries";
import { argumentsDigest } from "./arguments-digest";
import { subjectOf } from "./settle-approval";

const defaultTimeoutSeconds = 1_800;

export type Question = {
  id: string;
  requestedAt: Date;
  expiresAt: Date;
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
    effect: ToolEffect;
    primaryArgument: string | null;
    schemaHash: string;
  };
  arguments: JsonObject;
  decision: Decision;
  /** What has changed since an earlier approval of the same call, in words. */
  drift: string[];
};

/** From when to when a question asked now can be answered. */
export async function approvalExpiry(tx: Db, workspaceId: string): Promise<{ requestedAt: Date; expiresAt: Date }> {
  const [config] = await tx
    .select({ timeoutSeconds: guardConfig.approvalTimeoutSeconds })
    .from(guardConfig)
    .where(eq(guardConfig.workspaceId, workspaceId));
  const requestedAt = new Date();
  return { requestedAt, expiresAt: new Date(requestedAt.getTime() + (config?.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000) };
}

/**
 * Asks people whether a call may run. The question, its audit row and the timer that ends it commit with the caller's
 * transaction, which has written turn and call.
 */
export async function askApproval(tx: Db, question: Question): Promise<void> {
  const { id, tool, requestedAt, expiresAt } = question;
  await tx.insert(approvals).values({
    id,
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
    argumentsDigest: argumentsDigest({ toolName: tool.name, arguments: question.arguments, schemaHash: tool.schemaHash }),
    decision: question.decision,
    requestedBy: question.requestedBy,
    requestedAt,
    expiresAt,
    drift: question.drift,
  });
  await record(tx, {
    workspaceId: question.workspaceId,
    event: "approval.requested",
    actor: systemActor,
    subject: id,
    tool: tool.name,
    verdict: "require_approval",
    conversationId: question.conversationId,
    turnId: question.turnId,
    callId: question.callId,
    data: {
      arguments: question.arguments,
      reason: question.decision.reason,
      ruleId: question.decision.ruleId,
      policyVersion: question.decision.policyVersion,
      ...notEvaluated(question.decision),
      requestedBy: question.requestedBy,
      expiresAt: expiresAt.toISOString(),
      drift: question.drift,
    },
  });
  const { workspaceId, turnId } = question;
  const payload = {
    approvalId: id,
    reason: question.decision.reason,
    expiresAt: expiresAt.toISOString(),
    ...subjectOf({ ...question, toolName: tool.name }),
  };
  await queueDeliveries(tx, [
    { workspaceId, event: "approval.requested", turnId, payload },
    { workspaceId, event: "turn.suspended", turnId, payload },
  ]);
  await queue().send(tx, "expire_approval", { approvalId: id }, { startAfter: expiresAt });
  await signalOnCommit(tx, { topic: "approval", workspaceId: question.workspaceId, id, event: "approval.requested" });
}
