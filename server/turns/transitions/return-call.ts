import { type LiveTurn, moveCall } from "../live-turn";
import type { CallRow } from "../read/present-turn";

/** running → pending or awaiting_approval: the call has not begun, and must be planned again first. */
export function returnCall(live: LiveTurn, call: CallRow): void {
  moveCall(live, call, call.approvalId ? "awaiting_approval" : "pending", { startedBy: null, startedAt: null });
}
