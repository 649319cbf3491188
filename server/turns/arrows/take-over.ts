import { systemActor } from "@/server/auth/actor";
import { bootId } from "@/server/platform/ids";
import { isFinal, type LiveTurn, note } from "../live-turn";
import { sentences } from "../outcome";
import type { CallRow } from "../present-turn";
import { finish } from "./finish";
import { settleCall } from "./settle-call";
import { takeBackCall } from "./take-back-call";

/**
 * A turn that a dead replica was working on → ours. Its running calls start again where that does no harm; of the others
 * nobody knows whether they did something, so they end as `interrupted` and are not repeated.
 */
export async function takeOver(live: LiveTurn, mayRunAgain: (call: CallRow) => boolean): Promise<void> {
  const { turn } = live;
  const formerOwner = turn.claimedBy;
  turn.claimedBy = bootId();
  live.unsaved.turn = true;
  const running = live.calls.filter(({ status }) => status === "running");
  const again = running.filter(mayRunAgain);
  note(live, "turn.recovered", {
    turnId: turn.id,
    formerOwner,
    again: again.map(({ id }) => id),
    interrupted: running.filter((call) => !again.includes(call)).map(({ id }) => id),
  });
  for (const call of running) {
    if (again.includes(call)) {
      takeBackCall(live, call);
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
  if (live.calls.every(isFinal)) finish(live);
}
