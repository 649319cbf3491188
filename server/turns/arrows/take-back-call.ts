import { type LiveTurn, moveCall } from "../live-turn";
import type { CallRow } from "../present-turn";

/** running → where it came from: the call has not begun yet, and is looked at again before it does. */
export function takeBackCall(live: LiveTurn, call: CallRow): void {
  moveCall(live, call, call.approvalId ? "awaiting_approval" : "pending", { startedBy: null, startedAt: null });
}
