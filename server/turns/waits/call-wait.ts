import { signalHere } from "@/server/platform/signals/bus";
import type { LiveTurn } from "../live-turn";
import type { CallRow } from "../read/present-turn";

/** Runs a wait of a call. Meanwhile its row says what it waits for, so that every replica sees that nothing works for it. */
export type CallWait = <Result>(waitsFor: string, wait: () => Promise<Result>) => Promise<Result>;

type Waiting = { live: LiveTurn; row: CallRow; save: () => Promise<void> };

/** Makes the function with which a running call waits for people or for durable work. */
export function makeCallWait({ live, row, save }: Waiting): CallWait {
  const note = async (waitsFor: string | null) => {
    // A call that was stopped or moved to the background is no longer the turn's.
    if (row.status !== "running") return;
    row.waitsFor = waitsFor;
    live.unsaved.calls.add(row);
    await save();
    signalHere({ topic: "turn", turnId: live.turn.id, waits: waitsFor !== null });
  };
  return async (waitsFor, wait) => {
    await note(waitsFor);
    try {
      return await wait();
    } finally {
      await note(null);
    }
  };
}
