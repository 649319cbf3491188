import type { AuditEventName } from "@/contracts/audit/audit";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { maskInText } from "@/server/secrets/mask-secrets";
import { boundResult, roomFor } from "../bound-result";
import { tellObservers } from "../call-observers";
import { appendEvent, findCall, isFinal, type LiveTurn, moveCall } from "../live-turn";
import type { FinalStatus, Outcome } from "../outcome";
import type { CallRow } from "../read/present-turn";
import { auditCall } from "./audit-call";

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

/** Any open status → the outcome's status, with the bounded result and the audit row. A final call stays as it is. */
export async function settleCall(live: LiveTurn, outcome: Outcome): Promise<void> {
  const call = findCall(live, outcome.callId);
  if (isFinal(call)) return;
  const finishedAt = sharedNow();
  const durationMs = outcome.durationMs ?? (call.startedAt ? finishedAt.getTime() - call.startedAt.getTime() : 0);
  const room = roomFor(live, call, outcome.limits);
  // Reserved, because neighbours that end while this result is stored must not count on the same room.
  live.reserved.set(call.id, Math.min(room, outcome.text.length));
  const { workspaceId, conversationId } = live.turn;
  const owner = { workspaceId, conversationId, callId: call.id, toolName: outcome.name ?? call.name };
  const result = await boundResult(owner, outcome, room);
  // `boundResult` awaited, so another writer may have ended the call.
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
  auditCall(live, call, auditEvent[outcome.status], {
    durationMs,
    resultChars: result.content.length,
    // Masked before the cut, because a part of a secret is not recognised.
    resultStart: maskInText(result.content.slice(0, 1_000)).slice(0, 200),
    ...(outcome.network ? { network: outcome.network } : {}),
  });
  appendEvent(live, "call.finished", { callId: call.id, id: call.runtimeId, name: call.name, status: outcome.status, durationMs }, call.id);
  tellObservers({ workspaceId, status: outcome.status, durationMs });
}

function withSteps(hooks: CallRow["hooks"], steps: Outcome["hookSteps"]): CallRow["hooks"] {
  if (!steps || steps.length === 0) return hooks;
  return { sent: null, refusal: null, inBackground: false, ...hooks, steps: [...(hooks?.steps ?? []), ...steps] };
}
