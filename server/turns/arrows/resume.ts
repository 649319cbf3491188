import { bootId } from "@/server/platform/ids";
import { type LiveTurn, moveTurn, note } from "../live-turn";

/** suspended → running, here. Saving it is the claim: of any number of replicas that try, one succeeds. */
export function resume(live: LiveTurn): void {
  moveTurn(live, "running", { claimedBy: bootId() });
  note(live, "turn.resumed", { turnId: live.turn.id });
}
