import "server-only";
import { and, asc, eq, lte } from "drizzle-orm";
import { runMessages, runs } from "@/db/schema";
import { isCutOff } from "@/server/models/ask-model";
import { db } from "@/server/platform/database/database";
import { throughOutages } from "@/server/platform/database/through-outages";
import { isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { activeRuns, findRunTask, type RunTask, type StopReason } from "./active-runs";
import { claimRun } from "./claim-run";
import { endCutOff, endFailed, endStopped } from "./end-run";
import { openContent } from "./message-content";
import { openCalls } from "./open-calls";
import { loadRunActor } from "./run-actor";
import { startRunClock } from "./run-clock";
import { inHistory, type OwnedRow } from "./run-row";
import { type LiveRun, RunLost, saveRun } from "./save-run";
import { addUnstored } from "./step-usage";
import { takeStep } from "./steps/take-step";
import { takeTurn } from "./steps/take-turn";
import { tellRun } from "./tell-run";

/** Works on a run that this replica owns, until it ends, waits for people, or belongs to others. */
export function driveRun(run: OwnedRow): RunTask {
  const known = findRunTask(run.id);
  if (known) return known;
  const stop = new AbortController();
  const task: RunTask = { runId: run.id, startedAt: Date.now(), stop, partial: null, unstored: [], left: Promise.resolve() };
  const stopClock = startRunClock(run, () => stop.abort("time" satisfies StopReason));
  const onShutdown = () => stop.abort("shutdown" satisfies StopReason);
  shutdownSignal().addEventListener("abort", onShutdown);
  if (shutdownSignal().aborted) onShutdown();
  task.left = advance(run, task)
    .catch((error) => log().error({ err: error, runId: run.id }, "a run stopped unexpectedly; recovery will take it up"))
    .then(() => {
      stopClock();
      shutdownSignal().removeEventListener("abort", onShutdown);
      if (findRunTask(run.id) === task) activeRuns().delete(run.id);
    });
  activeRuns().set(run.id, task);
  return task;
}

async function advance(run: OwnedRow, task: RunTask): Promise<void> {
  let live: LiveRun | null = null;
  try {
    // Not ended by the stop: a run whose time is already up needs its messages to end.
    live = await throughOutages(() => loadLive(run));
    await takeSteps(live, task);
  } catch (error) {
    await settle(error, live, task);
  }
  if (live?.run.status === "waiting") {
    activeRuns().delete(run.id);
    // The answer may have come between the turn's suspension and our write.
    await continueRun(run.id);
  }
}

/** Goes on with a run that nobody works on, once it can go on. */
export async function continueRun(runId: string): Promise<void> {
  const row = findRunTask(runId) ? null : await claimRun(runId);
  if (!row) return;
  driveRun(row);
  tellRun(runId);
}

/** Takes one step after another. The messages say what comes next, so a run that is taken over goes on at the same place. */
async function takeSteps(live: LiveRun, task: RunTask): Promise<void> {
  for (;;) {
    if (live.run.cancelRequestedAt) task.stop.abort("cancelled" satisfies StopReason);
    if (task.stop.signal.aborted) return leave(live, task);
    if (openCalls(live.messages).length > 0) {
      const outcome = await takeTurn(live, task);
      if (outcome === "waiting") return;
      if (outcome === "stopped") return leave(live, task);
    } else {
      // Checked before each request, because it costs money in the name of whoever started the run.
      await loadRunActor(live.run);
      if (!(await takeStep(live, task))) return;
    }
  }
}

/** Ends what an error means for a run. An error after the stop of the task is the stop. */
async function settle(error: unknown, live: LiveRun | null, task: RunTask): Promise<void> {
  if (error instanceof RunLost) return log().info({ runId: task.runId }, "a run was ended or taken over by others while it ran here");
  if (!live) throw error;
  try {
    if (task.stop.signal.aborted) return await leave(live, task);
    if (!isAppError(error)) log().error({ err: error, runId: task.runId }, "a run failed unexpectedly");
    const reason = isAppError(error) ? error.message : "The run failed inside Handrail. The server's log has the reason.";
    await (isAppError(error) && lostReply(error, live, task) ? endCutOff(live, task, reason) : endFailed(live, task, reason));
  } catch (second) {
    if (!(second instanceof RunLost)) throw second;
  }
}

/** Whether the error ended a reply of which a part had come, in this attempt or in one before it. */
const lostReply = (error: Error, { run }: LiveRun, { partial }: RunTask): boolean =>
  isCutOff(error) || (partial?.position === run.messageCount && partial.text.trim() !== "");

/** Leaves a run for the reason for which its task was stopped. */
async function leave(live: LiveRun, task: RunTask): Promise<void> {
  const reason: StopReason = task.stop.signal.reason;
  if (reason === "lost") return;
  // Another replica goes on with the run, or this one after its next start.
  if (reason === "shutdown") return saveRun(live, { ...(await addUnstored(live.run, task)), status: "queued", claimedBy: null });
  await endStopped(live, task, reason);
}

async function loadLive(run: OwnedRow): Promise<LiveRun> {
  const rows = await db()
    .select({ message: runMessages })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .where(and(eq(runs.conversationId, run.conversationId), lte(runs.id, run.id), inHistory))
    .orderBy(asc(runs.id), asc(runMessages.position));
  const all = rows.map(({ message }) => openContent(message));
  return { run, earlier: all.filter(({ runId }) => runId !== run.id), messages: all.filter(({ runId }) => runId === run.id) };
}
