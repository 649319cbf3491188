import "server-only";
import { and, eq, isNotNull, or } from "drizzle-orm";
import type { Run } from "@/contracts/runs/runs";
import { jobs, runs, toolCalls, turns } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { cancelOpenRun } from "./cancel-run";
import { waitForRun } from "./read/wait-for-run";
import { isEnded } from "./run-row";

/** Seconds of one wait; the next one follows at once. */
const waitSeconds = 60;

type Waiting = {
  /** Aborts when the call that waits is over. */
  signal: AbortSignal;
  /** Tells how the child stands, when that changes. */
  onChange?: (run: Run) => void;
};

/**
 * Waits until a child's run has ended. Its own limits end it, and the time in which people decide does not count. A server
 * that stops leaves the run to others, and the wait never ends here.
 * @throws the signal's reason; a call that somebody stopped cancels the child
 */
export async function awaitChildRun(runId: string, { signal, onChange = () => {} }: Waiting): Promise<Run> {
  try {
    while (!signal.aborted) {
      const run = await waitForRun(runId, waitSeconds, signal);
      if (isEnded(run)) return run;
      onChange(run);
    }
  } catch (error) {
    // The call stays as it is and runs again elsewhere, so it must not end with an error of a closed database.
    if (shutdownSignal().aborted) return new Promise(() => {});
    throw error;
  }
  await cancelChildRun(runId).catch((error) => log().warn({ err: error, runId }, "a child's run was not cancelled at once"));
  throw signal.reason;
}

/**
 * Cancels a child's run when somebody stopped the call that waits for it. A call may also stop here because another replica
 * took it over; then the child goes on. Recovery cancels children whose call ended in another way.
 */
export async function cancelChildRun(runId: string): Promise<void> {
  const [stopped] = await db()
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(toolCalls, eq(toolCalls.id, runs.awaitedBy))
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .leftJoin(jobs, eq(jobs.callId, toolCalls.id))
    .where(and(eq(runs.id, runId), or(isNotNull(turns.cancelRequestedAt), isNotNull(jobs.cancelRequestedAt))));
  if (stopped) await endChildRun(runId);
}

/** Cancels a child's run because nobody waits for it any more. */
export async function endChildRun(runId: string): Promise<void> {
  await cancelOpenRun(systemActor, runId).catch((error) => log().warn({ err: error, runId }, "a child's run was not cancelled at once"));
}
