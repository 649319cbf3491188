import "server-only";
import type { Turn } from "@/contracts/turns/turns";
import { shutdownSignal } from "@/server/platform/shutdown";
import { onTurnSignal } from "@/server/platform/signals/bus";
import { findTurnTask } from "../active-turns";
import type { LiveTurn } from "../live-turn";
import { readTurn, withDeliveredJobs } from "./load-turn";
import { presentTurn } from "./present-turn";
import { watchTurn } from "./watch-turns";

/**
 * Returns the state in which a turn rests: finished, or suspended on one approval; null while it runs. A poll on a
 * suspended turn therefore returns with the result of the decision, not with `running`.
 */
export function restingState(turn: Turn): string | null {
  if (turn.status === "running") return null;
  const question = turn.calls.find(({ status }) => status === "awaiting_approval")?.approvalId ?? "";
  return `${turn.status} ${question}`;
}

/**
 * Waits at most `seconds` until a turn rests in another state than before; returns a finished turn at once.
 * @param seconds `Infinity` waits without a timer
 * @param isDone tells whether the turn is as the caller awaits it, in place of another resting state
 * @returns the turn as it stands then.
 */
export async function waitForTurn(turnId: string, seconds: number, signal: AbortSignal, isDone?: (turn: Turn) => boolean): Promise<Turn> {
  let wake = () => {};
  let isSeen = false;
  let here: LiveTurn | null = null;
  const off = onTurnSignal(turnId, ({ seen, rests }) => {
    isSeen ||= seen === true;
    here = rests ? (findTurnTask(turnId)?.live ?? null) : null;
    wake();
  });
  const unwatch = watchTurn(turnId);
  const deadline = performance.now() + seconds * 1_000;
  try {
    let news = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let turn = await readTurn(turnId);
    if (isFinished(turn) || isDone?.(turn)) return turn;
    const start = restingState(turn);
    while (await restsWithin(news, (deadline - performance.now()) / 1_000, signal)) {
      news = new Promise((resolve) => {
        wake = resolve;
      });
      // A task of this process signals when there is something to read. `isSeen` marks a change that came without such
      // a signal, because another replica may have claimed the turn.
      if (!isSeen && findTurnTask(turnId)?.live.turn.status === "running") continue;
      isSeen = false;
      turn = await turnAsItStands(turnId, here);
      const now = restingState(turn);
      if (isDone ? isFinished(turn) || isDone(turn) : now !== null && now !== start) return turn;
    }
    return await readTurn(turnId);
  } finally {
    off();
    unwatch();
  }
}

/** @param here the turn that came to rest in this process, which need not be read */
function turnAsItStands(turnId: string, here: LiveTurn | null): Promise<Turn> {
  return here ? withDeliveredJobs(presentTurn(here.turn, here.calls)) : readTurn(turnId);
}

/**
 * Waits at most `seconds` for `rested`.
 * @returns false when the time is up, the caller leaves or this process stops
 * @throws what `rested` rejects with
 */
export function restsWithin(rested: Promise<void>, seconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      shutdownSignal().removeEventListener("abort", giveUp);
    };
    const giveUp = () => {
      end();
      resolve(false);
    };
    const timer = seconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(giveUp, Math.max(0, seconds) * 1_000);
    signal.addEventListener("abort", giveUp);
    shutdownSignal().addEventListener("abort", giveUp);
    rested.then(
      () => {
        end();
        resolve(true);
      },
      (error) => {
        end();
        reject(error);
      },
    );
    if (signal.aborted || shutdownSignal().aborted) giveUp();
  });
}

export function isFinished(turn: Pick<Turn, "status">): boolean {
  return turn.status === "completed" || turn.status === "cancelled";
}
