import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/guard";
import type { ToolEffect, ToolSource } from "@/contracts/tools";
import type { Db } from "@/db/client";
import { approvals, guardConfig } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { appendTurnEvents } from "@/server/conversations/turn-events";
import { signalOnCommit } from "@/server/platform/bus";
import { queue } from "@/server/platform/queue";
import { argumentsDigest } from "./arguments-digest";

const defaultTimeoutSeconds = 1_800;

export type Question = {
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

/**
 * Asks people whether a call may run. The question, its audit row and the timer that ends it commit with the caller's
 * transaction, which holds the turn's lock.
 */
export async function askApproval(tx: Db, question: Question): Promise<string> {
  const { tool } = question;
  const [config] = await tx
    .select({ timeoutSeconds: guardConfig.approvalTimeoutSeconds })
    .from(guardConfig)
    .where(eq(guardConfig.workspaceId, question.workspaceId));
  const requestedAt = new Date();
  const expiresAt = new Date(requestedAt.getTime() + (config?.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000);
  const [approval] = await tx
    .insert(approvals)
    .values({
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
      arguments: question.arguments,
      argumentsDigest: argumentsDigest({ toolName: tool.name, arguments: question.arguments, schemaHash: tool.schemaHash }),
      decision: question.decision,
      requestedBy: question.requestedBy,
      requestedAt,
      expiresAt,
      drift: question.drift,
    })
    .returning({ id: approvals.id });
  if (!approval) throw new Error("the approval was not stored");
  await record(tx, {
    workspaceId: question.workspaceId,
    event: "approval.requested",
    actor: systemActor,
    subject: approval.id,
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
      requestedBy: question.requestedBy,
      expiresAt: expiresAt.toISOString(),
      drift: question.drift,
    },
  });
  await appendTurnEvents(tx, question.turnId, [
    {
      event: "approval.requested",
      data: { approvalId: approval.id, callId: question.callId, tool: tool.name, expiresAt: expiresAt.toISOString() },
    },
  ]);
  await queue().send(tx, "expire_approval", { approvalId: approval.id }, { startAfter: expiresAt });
  await signalOnCommit(tx, { topic: "approval", workspaceId: question.workspaceId, id: approval.id, event: "approval.requested" });
  return approval.id;
}
