import { newId } from "@/server/platform/ids";
import { type LiveTurn, moveCall, moveTurn, note } from "../live-turn";
import type { ReadyCall } from "../plan-segment";

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
    // The wish to run in the background is no argument, and must outlive the question.
    jobId: inBackground ? (row.jobId ?? newId()) : null,
  });
  note(live, "approval.requested", {
    approvalId: question.id,
    callId: row.id,
    tool: registered.name,
    expiresAt: question.expiresAt.toISOString(),
  });
}

/** running → suspended: nobody works on the turn until the question is answered, and nothing of it stays in memory. */
export function suspend(live: LiveTurn, approvalId: string): void {
  moveTurn(live, "suspended", { claimedBy: null });
  note(live, "turn.suspended", { turnId: live.turn.id, approvalId });
}
