import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";
import type { LiveTurn } from "./live-turn";

/** A turn that this replica is working on. */
export type TurnTask = {
  live: LiveTurn;
  /** Aborts when somebody cancels the turn. */
  cancelled: AbortController;
  /** Resolves when the turn is stored; rejects when the turn will never be stored. */
  known: Promise<void>;
  /** Resolves when the turn is suspended, finished or lost to another replica; rejects when running the turn failed. */
  rested: Promise<void>;
};

/** The turns that this replica is working on, by id. */
export const activeTurns = () =>
  processWide("activeTurns", () => {
    const turns = new Map<string, TurnTask>();
    onSignal("turn", ({ turnId, cancel }) => {
      if (cancel) turns.get(turnId)?.cancelled.abort(new Error("the turn was cancelled"));
    });
    return turns;
  });

export function findTurnTask(turnId: string): TurnTask | undefined {
  return activeTurns().get(turnId);
}

/** Registers a task until its turn rests. */
export function registerTurnTask(task: TurnTask): void {
  const { id } = task.live.turn;
  activeTurns().set(id, task);
  const leave = () => {
    if (activeTurns().get(id) === task) activeTurns().delete(id);
  };
  task.rested.then(leave, leave);
}

/** Waits until every active turn of this replica rests. */
export async function waitForActiveTurns(): Promise<void> {
  while (activeTurns().size > 0) await Promise.allSettled([...activeTurns().values()].map(({ rested }) => rested));
}
