import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Turn } from "@/contracts/turns";
import { isAppError } from "@/server/platform/errors";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { isFinished, waitForTurn } from "@/server/turns/wait-for-turn";
import type { RunTask, StopReason } from "./active-runs";
import { openCalls } from "./end-run";
import { imagesOf } from "./message-images";
import { withWarnings } from "./repeated-calls";
import { loadRunActor } from "./run-actor";
import { type LiveRun, type NewMessage, saveRun, toolMessage } from "./save-run";

/** Seconds after which a turn that still runs is named in the run's row, so that people can look at it. */
const namedAfterSeconds = 2;
const waitSeconds = 60;

/** The beginning of the idempotency keys of turns that runs submit. */
export const turnKeyPrefix = "run:";

/**
 * Submits the calls of the last reply as a turn, through the same function as every agent runtime. The key names the reply, so
 * that a run that is taken over finds the turn in place of submitting a second one.
 * @returns `done` with the results stored, `waiting` when the turn needs approval and the run was let go, `stopped` on the task's signal
 */
export async function takeTurn(live: LiveRun, task: RunTask): Promise<"done" | "waiting" | "stopped"> {
  const { signal } = task.stop;
  let turn = await submit(live, signal);
  if (!turn) return "stopped";
  if (turn.status === "running" && live.run.turnId !== turn.id) await saveRun(live, { turnId: turn.id });
  while (turn.status === "running" && !signal.aborted) turn = await waitForTurn(turn.id, waitSeconds, signal);
  if (signal.aborted && !isFinished(turn)) {
    const reason: StopReason = signal.reason;
    if (reason === "cancelled" || reason === "time") turn = await cancelTurn(await loadRunActor(live.run), turn.id, neverAborted);
    if (!isFinished(turn)) return "stopped";
  }
  if (turn.status === "suspended") {
    await saveRun(live, { status: "waiting", claimedBy: null, turnId: turn.id, waitingSince: sql`now()` });
    return "waiting";
  }
  await saveRun(live, { turnId: turn.id }, withWarnings(live.messages, toResults(turn)));
  return "done";
}

const neverAborted = new AbortController().signal;

/** Submits, and again later while this replica or the database has no room for a turn. @returns null on the signal */
async function submit({ run, messages }: LiveRun, signal: AbortSignal): Promise<Turn | null> {
  const calls = openCalls(messages);
  const isFirst = messages.filter(({ role, content }) => role === "assistant" && content.toolCalls).length === 1;
  const draft = { calls, wait: namedAfterSeconds, afterUserMessage: isFirst };
  const idempotencyKey = `${turnKeyPrefix}${run.id}:${messages.length - 1}`;
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

/** The results as the model reads them; those of background jobs that ended meanwhile stand behind the last one. */
function toResults({ id: turnId, calls, finishedJobs = [] }: Turn): NewMessage[] {
  const results = calls.map((call) =>
    toolMessage({ id: call.id, name: call.requestedName }, call.content, {
      isError: call.isError,
      turnId,
      images: imagesOf(call.contentParts),
    }),
  );
  const last = results.at(-1);
  if (!last || finishedJobs.length === 0) return results;
  const told = finishedJobs.map(({ jobId, name, status, content }) => `[Background job ${jobId} (${name}): ${status}]\n${content}`);
  return [...results.slice(0, -1), { ...last, content: { ...last.content, text: [last.content.text, ...told].join("\n\n") } }];
}
