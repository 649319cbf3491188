import type { AuditEventName } from "@/contracts/audit";
import type { JsonObject } from "@/contracts/common";
import { maskInText } from "@/server/audit/mask-secrets";
import { notEvaluated } from "@/server/guard/not-evaluated";
import { boundResult, roomFor } from "../bound-result";
import { callOf, isFinal, type LiveTurn, moveCall, note } from "../live-turn";
import type { FinalStatus, Outcome } from "../outcome";
import type { CallRow } from "../present-turn";

const auditEvent: Record<FinalStatus, AuditEventName> = {
  succeeded: "call.succeeded",
  failed: "call.failed",
  denied: "call.denied",
  rejected: "call.rejected",
  expired: "call.expired",
  timed_out: "call.timed_out",
  cancelled: "call.cancelled",
  interrupted: "call.interrupted",
};

/**
 * Any open status → the one that the outcome says, with the result as the model sees it and its audit row. A call that is
 * final already stays as it is.
 */
export async function settleCall(live: LiveTurn, outcome: Outcome): Promise<void> {
  const call = callOf(live, outcome.callId);
  if (isFinal(call)) return;
  const finishedAt = new Date();
  const durationMs = call.startedAt ? finishedAt.getTime() - call.startedAt.getTime() : 0;
  const room = roomFor(live, call);
  // Neighbours that end while our bytes are being kept must not count on the same room.
  live.reserved.set(call.id, Math.min(room, outcome.text.length));
  const { workspaceId, conversationId } = live.turn;
  const owner = { workspaceId, conversationId, callId: call.id, toolName: outcome.name ?? call.name };
  const result = await boundResult(owner, outcome, room);
  // Kept bytes took a moment: somebody else may have ended the call.
  if (isFinal(call)) return;
  moveCall(live, call, outcome.status, {
    isError: outcome.status !== "succeeded",
    name: outcome.name ?? call.name,
    arguments: outcome.arguments ?? call.arguments,
    rawArguments: outcome.arguments ? null : call.rawArguments,
    decision: outcome.decision ?? call.decision,
    hooks: withSteps(call.hooks, outcome.hookSteps),
    content: result.content,
    contentParts: result.parts,
    structuredContent: result.structuredContent,
    truncated: result.truncated,
    directContent: outcome.directText ?? null,
    jobId: outcome.jobId ?? null,
    durationMs,
    finishedAt,
  });
  live.unsaved.artifacts.push(...result.artifacts);
  const { turn } = live;
  live.unsaved.audit.push({
    workspaceId: turn.workspaceId,
    event: auditEvent[outcome.status],
    actor: turn.requestedBy,
    subject: call.name,
    tool: call.name,
    verdict: call.decision?.verdict ?? null,
    conversationId: turn.conversationId,
    turnId: turn.id,
    callId: call.id,
    data: auditData(call),
  });
  note(live, "call.finished", { callId: call.id, id: call.runtimeId, name: call.name, status: outcome.status, durationMs }, call.id);
}

function withSteps(hooks: CallRow["hooks"], steps: Outcome["hookSteps"]): CallRow["hooks"] {
  if (!steps || steps.length === 0) return hooks;
  return { sent: null, refusal: null, inBackground: false, ...hooks, steps: [...(hooks?.steps ?? []), ...steps] };
}

function auditData(call: CallRow): JsonObject {
  const { decision, content, hooks } = call;
  return {
    requestedName: call.requestedName,
    arguments: call.rawArguments ?? call.arguments,
    reason: decision?.reason ?? null,
    ruleId: decision?.ruleId ?? null,
    policyVersion: decision?.policyVersion ?? null,
    ...notEvaluated(decision),
    ...(decision?.grantId ? { grantId: decision.grantId } : {}),
    findings: decision?.findings ?? [],
    approvalId: call.approvalId,
    ...(hooks ? { sentArguments: hooks.sent, hooks: hooks.steps.map(({ name, event, outcome }) => ({ name, event, outcome })) } : {}),
    durationMs: call.durationMs,
    resultChars: content.length,
    // Masked before it is cut: a piece of a secret does not look like one.
    resultStart: maskInText(content.slice(0, 1_000)).slice(0, 200),
  };
}
