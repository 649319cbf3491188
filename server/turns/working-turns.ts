import { onSignal } from "@/server/platform/bus";
import { processWide } from "@/server/platform/process-wide";
import type { LiveTurn } from "./live-turn";

/** A turn that this replica is working on. */
export type Work = {
  live: LiveTurn;
  /** Aborts when somebody cancels the turn. */
  cancelled: AbortController;
  /** Resolves when the database knows the turn; rejects when it never will. */
  known: Promise<void>;
  /** Resolves when the turn rests (suspended or over) or is in other hands; rejects when working on it failed. */
  rested: Promise<void>;
};

const working = () =>
  processWide("workingTurns", () => {
    const turns = new Map<string, Work>();
    onSignal("turn", ({ turnId, cancel }) => {
      if (cancel) turns.get(turnId)?.cancelled.abort(new Error("the turn was cancelled"));
    });
    return turns;
  });

export function workOn(turnId: string): Work | undefined {
  return working().get(turnId);
}

/** Enters a piece of work until it rests. */
export function enter(work: Work): void {
  const { id } = work.live.turn;
  working().set(id, work);
  const leave = () => {
    if (working().get(id) === work) working().delete(id);
  };
  work.rested.then(leave, leave);
}

/** Resolves when every turn that this replica works on has come to rest. */
export async function turnsAtRest(): Promise<void> {
  while (working().size > 0) await Promise.allSettled([...working().values()].map(({ rested }) => rested));
}
