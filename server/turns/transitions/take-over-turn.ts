import { systemActor } from "@/server/auth/actor";
import { bootId } from "@/server/platform/ids";
import { appendEvent, isFinal, type LiveTurn } from "../live-turn";
import { sentences } from "../outcome";
import type { CallRow } from "../read/present-turn";
import { finishTurn } from "./finish-turn";
import { returnCall } from "./return-call";
import { settleCall } from "./settle-call";

/**
 * Turn of a dead replica → ours. Running calls start again where that does no harm; the other running calls end as
 * `interrupted` and are not repeated, because their outcome is unknown.
 */
export async function takeOverTurn(live: LiveTurn, mayRunAgain: (call: CallRow) => boolean): Promise<void> {
  const { turn } = live;
  const formerOwner = turn.claimedBy;
  turn.claimedBy = bootId();
  live.unsaved.turn = true;
  const running = live.calls.filter(({ status }) => status === "running");
  const again = running.filter(mayRunAgain);
  appendEvent(live, "turn.recovered", {
    turnId: turn.id,
    formerOwner,
    again: again.map(({ id }) => id),
    interrupted: running.filter((call) => !again.includes(call)).map(({ id }) => id),
  });
  for (const call of running) {
    if (again.includes(call)) {
      returnCall(live, call);
    } else {
      await settleCall(live, { callId: call.id, status: "interrupted", text: sentences.interrupted(call.name) });
    }
  }
  live.unsaved.audit.push({
    workspaceId: turn.workspaceId,
    event: "turn.recovered",
    actor: systemActor,
    subject: turn.id,
    conversationId: turn.conversationId,
    turnId: turn.id,
    data: { formerOwner, again: again.map(({ id }) => id), calls: running.map(({ id }) => id) },
  });
  if (live.calls.every(isFinal)) finishTurn(live);
}
