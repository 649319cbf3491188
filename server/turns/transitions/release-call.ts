import { sharedNow } from "@/server/platform/database/shared-clock";
import { appendEvent, type LiveTurn, moveCall, moveTurn } from "../live-turn";
import type { ReadyCall } from "../step-data";
import { auditCall } from "./audit-call";

/** Audit event of a call that its client may run from now on. */
export const releaseEvent = "call.released";

/**
 * pending or awaiting_approval → released: the client that runs the call may start it. The audit row is written with the
 * call's row, so that nothing is released while the audit cannot be written.
 */
export function releaseCall(live: LiveTurn, { row, registered, arguments: args, decision }: ReadyCall): void {
  const now = sharedNow();
  moveCall(live, row, "released", {
    name: registered.name,
    arguments: args,
    rawArguments: null,
    decision,
    startedAt: now,
    // A call that nobody had to approve is released in the answer to its submission.
    deliveredAt: row.approvalId === null ? now : null,
  });
  appendEvent(live, "call.released", { callId: row.id, id: row.runtimeId, name: row.name }, row.id);
  auditCall(live, row, releaseEvent);
}

/** running → suspended: the client runs what is left of the turn, and nothing of it stays in memory. */
export function leaveToClient(live: LiveTurn): void {
  moveTurn(live, "suspended", { claimedBy: null });
}
