import { newId } from "@/server/platform/ids";
import { appendEvent, type LiveTurn, moveCall, moveTurn } from "../live-turn";
import type { ReadyCall } from "../step-data";

/** pending or awaiting_approval → awaiting_approval: the call waits for the answer to a question. */
export function awaitApproval(
  live: LiveTurn,
  { row, registered, arguments: args, decision, inBackground }: ReadyCall,
  question: { id: string; expiresAt: Date },
): void {
  moveCall(live, row, "awaiting_approval", {
    name: registered.name,
    arguments: args,
    rawArguments: null,
    decision,
    approvalId: question.id,
    // Keeps the wish to run in the background during the suspension, because the arguments do not hold it.
    jobId: inBackground ? (row.jobId ?? newId()) : null,
  });
  appendEvent(live, "approval.requested", {
    approvalId: question.id,
    callId: row.id,
    tool: registered.name,
    expiresAt: question.expiresAt.toISOString(),
  });
}

/** running → suspended: nobody works on the turn until the question is answered, and nothing of it stays in memory. */
export function suspend(live: LiveTurn, approvalId: string): void {
  moveTurn(live, "suspended", { claimedBy: null });
  appendEvent(live, "turn.suspended", { turnId: live.turn.id, approvalId });
}
