import "server-only";
import type { ApprovalRow } from "@/server/approvals/settlement";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { throughOutages } from "@/server/platform/database/through-outages";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { registerTurnTask, type TurnTask } from "./active-turns";
import { isFinal, type LiveTurn } from "./live-turn";
import { saveTurn } from "./save/save-turn";
import { decideCalls } from "./steps/decide-calls";
import { executeCalls } from "./steps/execute-calls";
import { gateTurn } from "./steps/gate-turn";
import { planCalls } from "./steps/plan-calls";
import { saveEnd, writeThrough } from "./steps/save-changes";
import { settleRefused } from "./steps/settle-calls";
import { cancelCalls } from "./transitions/cancel-calls";
import { finishTurn } from "./transitions/finish-turn";
import { leaveToClient } from "./transitions/release-call";
import { TurnLeft, type TurnRun } from "./turn-run";

/**
 * Time for which harmless calls may run before their turn is stored. A turn that finishes within it is written once,
 * because nobody was told of the turn before.
 */
const maxHoldBackMs = 25;

/** Maximum of planning passes of a turn; a turn that needs more is in a loop. */
const maxSegments = 100;

type Start = {
  /** Milliseconds that the submitter waits for a new turn, which may run unstored for at most `maxHoldBackMs` of them. */
  holdBack?: number;
  /** Settled approvals that were read together with the turn. */
  answers?: readonly ApprovalRow[];
};

/** Runs a turn that this replica owns, until it rests. */
export function runTurn(live: LiveTurn, { holdBack = 0, answers = [] }: Start = {}): TurnTask {
  const cancelled = new AbortController();
  const known = Promise.withResolvers<void>();
  known.promise.catch(() => {});
  if (live.stored) known.resolve();
  const run: TurnRun = {
    live,
    cancelled: cancelled.signal,
    cancel: () => cancelled.abort(new Error("the turn was cancelled")),
    isKnown: known.resolve,
    holdBackMs: Math.min(holdBack, maxHoldBackMs),
  };
  const rested = advance(run, answers).catch((error) => {
    if (error instanceof TurnLeft) return known.resolve();
    // Tells waiting callers why the turn was not stored; no effect when it was, because `known` has already resolved.
    known.reject(error);
    const told = { err: error, turnId: live.turn.id };
    if (live.stored && shutdownSignal().aborted) log().info(told, "a turn stopped with the server; recovery will take it up");
    else if (live.stored) log().error(told, "a turn stopped unexpectedly; recovery will take it up");
    throw error;
  });
  const task: TurnTask = { live, cancelled, known: known.promise, rested };
  rested.catch(() => {});
  registerTurnTask(task);
  return task;
}

/**
 * Advances a turn until it rests. Each pass takes the steps in a row: plan, decide, execute and settle what may run, then
 * gate the turn at the first call that needs a person, or end it.
 * @param answers approvals known when the turn starts; valid for the first pass only
 */
async function advance(run: TurnRun, answers: readonly ApprovalRow[]): Promise<void> {
  const { live, cancelled } = run;
  for (let pass = 0; ; pass++) {
    if (pass > maxSegments) throw new Error(`turn ${live.turn.id} does not come to an end`);
    if (cancelled.aborted || live.turn.cancelRequestedAt) return endCancelled(run);
    const known = pass === 0 ? answers : [];
    const segment = await retryWhileDatabaseAway(live, async () => decideCalls(await planCalls(live, known)));
    await retryWhileDatabaseAway(live, () => settleRefused(live, segment));
    const isDone = await executeCalls(run, segment);
    if (!isDone || cancelled.aborted) continue;
    const { context, barrier, askedTogether } = segment;
    if (barrier) {
      if (await writeThrough(run, () => gateTurn(context, live, { barrier, askedTogether }))) return;
    } else if (live.calls.every(isFinal)) {
      finishTurn(live);
      return saveEnd(run);
    } else if (live.calls.every((call) => isFinal(call) || call.status === "released")) {
      return restAtClient(run);
    }
  }
}

/** Stores a turn whose open calls are run by their client. */
async function restAtClient(run: TurnRun): Promise<void> {
  leaveToClient(run.live);
  while (!(await writeThrough(run, () => saveTurn(run.live)))) {
    // Whoever cancelled the turn found it running, so its end is left to this process.
    if (run.live.turn.cancelRequestedAt) return endCancelled(run);
  }
}

async function endCancelled(run: TurnRun): Promise<void> {
  run.live.turn.cancelRequestedAt ??= sharedNow();
  await cancelCalls(run.live);
  await saveEnd(run);
}

/** Repeats work for a stored turn for as long as the database stays away; an unstored turn gets one attempt. */
function retryWhileDatabaseAway<T>({ stored }: LiveTurn, work: () => Promise<T>): Promise<T> {
  return stored === null ? work() : throughOutages(work);
}
