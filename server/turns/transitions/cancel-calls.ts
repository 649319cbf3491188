import { isFinal, type LiveTurn } from "../live-turn";
import { sentences } from "../outcome";
import { finishTurn } from "./finish-turn";
import { settleCall } from "./settle-call";

/** Every open call → cancelled, and the turn with them. */
export async function cancelCalls(live: LiveTurn): Promise<void> {
  for (const call of live.calls) {
    if (!isFinal(call)) await settleCall(live, { callId: call.id, status: "cancelled", text: sentences.cancelled(call.name) });
  }
  finishTurn(live);
}
