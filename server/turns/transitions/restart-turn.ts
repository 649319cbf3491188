import { bootId } from "@/server/platform/ids";
import { appendEvent, type LiveTurn, moveTurn } from "../live-turn";

/** suspended → running on this replica. Saving the turn is the claim: of any number of replicas that try, one succeeds. */
export function restartTurn(live: LiveTurn): void {
  moveTurn(live, "running", { claimedBy: bootId() });
  appendEvent(live, "turn.resumed", { turnId: live.turn.id });
}
