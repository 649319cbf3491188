import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Turn } from "@/contracts/turns/turns";
import { isAppError } from "@/server/platform/errors";
import { isFinished } from "@/server/turns/read/wait-for-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { waitWhileTurnWorks } from "@/server/turns/waits/turn-waits";
import type { RunTask } from "../active-runs";
import { openCalls } from "../open-calls";
import { loadRunActor } from "../run-actor";
import { type LiveRun, saveRun } from "../save-run";
import { toResults, turnKeyOf } from "../turn-results";
import { withWarnings } from "./repeated-calls";

/** Seconds after which a turn that still runs is named in the run's row. Most calls that only read are over by then, unseen. */
const namedAfterSeconds = 0.03;

/**
 * Submits the calls of the last reply as a turn, through the same function as every agent runtime. The key names the reply, so
 * that a run that is taken over finds the turn in place of submitting a second one.
 * @returns `done` with the results stored, `waiting` when the turn needs approval, or its calls only wait, and the run was let go, `stopped` on the task's signal
 */
export async function takeTurn(live: LiveRun, task: RunTask): Promise<"done" | "waiting" | "stopped"> {
  const { signal } = task.stop;
  let turn = await submit(live, signal);
  if (!turn) return "stopped";
  if (turn.status === "running" && live.run.turnId !== turn.id) await saveRun(live, { turnId: turn.id });
  let isWaiting = turn.status === "suspended";
  if (turn.status === "running") ({ turn, isWaiting } = await waitWhileTurnWorks(turn.id, signal));
  if (signal.aborted && !isFinished(turn)) return "stopped";
  if (isWaiting) {
    await saveRun(live, { status: "waiting", claimedBy: null, turnId: turn.id, waitingSince: sql`now()` });
    return "waiting";
  }
  await saveRun(live, { turnId: turn.id }, withWarnings(live.messages, toResults(turn)));
  return "done";
}

/** Submits, and again later while this replica or the database has no room for a turn. @returns null on the signal */
async function submit(live: LiveRun, signal: AbortSignal): Promise<Turn | null> {
  const { run, messages } = live;
  const calls = openCalls(messages);
  const isFirst = messages.filter(({ role, content }) => role === "assistant" && content.toolCalls).length === 1;
  const draft = { calls, wait: namedAfterSeconds, afterUserMessage: isFirst };
  const idempotencyKey = turnKeyOf(live);
  while (!signal.aborted) {
    try {
      const actor = await loadRunActor(run);
      return await submitTurn(actor, { conversationId: run.conversationId, draft, idempotencyKey, signal });
    } catch (error) {
      const mayCome = isAppError(error) && (error.code === "too_many_requests" || error.code === "unavailable");
      if (!mayCome) throw error;
      await pause((error.details.retryAfterSeconds ?? 1) * 1_000, undefined, { signal }).catch(() => {});
    }
  }
  return null;
}
