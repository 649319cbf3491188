import { isFinal, type LiveTurn, moveTurn, note } from "../live-turn";

/** running or suspended → completed, or cancelled when that was asked for; only once every call is final. */
export function finish(live: LiveTurn): void {
  const { turn } = live;
  if (!live.calls.every(isFinal)) throw new Error(`turn ${turn.id} has open calls`);
  const status = turn.cancelRequestedAt ? "cancelled" : "completed";
  moveTurn(live, status, { claimedBy: null, finishedAt: new Date() });
  note(live, "turn.finished", { turnId: turn.id, status });
}
