import { sharedNow } from "@/server/platform/database/shared-clock";
import { appendEvent, isFinal, type LiveTurn, moveTurn } from "../live-turn";

/** running or suspended → completed, or cancelled when a cancellation was requested; every call must be final. */
export function finishTurn(live: LiveTurn): void {
  const { turn } = live;
  if (!live.calls.every(isFinal)) throw new Error(`turn ${turn.id} has open calls`);
  const status = turn.cancelRequestedAt ? "cancelled" : "completed";
  moveTurn(live, status, { claimedBy: null, finishedAt: sharedNow() });
  appendEvent(live, "turn.finished", { turnId: turn.id, status });
}
