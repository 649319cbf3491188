import "server-only";
import { and, eq, inArray, isNull, notExists, notInArray, or, sql } from "drizzle-orm";
import { jobs, runs, toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { isReplicaGone } from "@/server/replicas/presence";
import { runningReplicas } from "@/server/replicas/replica-record";
import { activeRuns, findRunTask, type StopReason } from "./active-runs";
import { endChildRun } from "./await-child-run";
import { claimOrphan, turnGoesOn } from "./claim-run";
import { continueRun, driveRun } from "./drive-run";
import { openRun, type RunRow } from "./run-row";

/** Grace after our claim or write of a run, because its task may not be registered yet. */
const graceSeconds = 5;
const graceMs = graceSeconds * 1_000;
/** Maximum of runs that are taken up in one pass. */
const atOnce = 100;

/** Maximum of children that are cancelled in one pass. */
const maxOrphans = 100;

type Found = Pick<RunRow, "id" | "status" | "claimedBy" | "version">;

/**
 * Takes up every run that can go on and that nobody works on: released ones, those whose turn goes on or has its results, and those of
 * other replicas that are gone. Several replicas may do this at once, and a lost signal costs a second.
 */
export async function recoverRuns(): Promise<void> {
  const alive = [bootId(), ...(await runningReplicas())];
  const found = await db()
    .select({ id: runs.id, status: runs.status, claimedBy: runs.claimedBy, version: runs.version })
    .from(runs)
    .where(
      or(
        eq(runs.status, "queued"),
        and(eq(runs.status, "waiting"), turnGoesOn()),
        and(eq(runs.status, "running"), notInArray(runs.claimedBy, alive)),
      ),
    )
    .orderBy(runs.id)
    .limit(atOnce);
  for (const run of found) {
    // A run that cannot be taken up must not delay the rest.
    await takeUp(run).catch((error) => log().error({ err: error, runId: run.id }, "a run could not be taken up yet"));
  }
}

async function takeUp({ status, ...run }: Found): Promise<void> {
  if (findRunTask(run.id)) return;
  if (status !== "running") return continueRun(run.id);
  if (run.claimedBy !== bootId() && run.claimedBy !== null && !(await isReplicaGone(run.claimedBy))) return;
  const row = await claimOrphan(run);
  if (row) driveRun(row);
}

/**
 * Stops our work on runs whose cancellation signal was lost, and on runs that were removed or taken over. Goes on with our runs
 * whose task stopped on an error.
 */
export async function lookAfterOwnRuns(): Promise<void> {
  const before = [...activeRuns().values()].filter(({ startedAt }) => Date.now() - startedAt > graceMs);
  const isOld = sql<boolean>`${runs.updatedAt} < now() - make_interval(secs => ${graceSeconds})`;
  const { id, status, claimedBy, version, cancelRequestedAt } = runs;
  const rows = await db()
    .select({ id, status, claimedBy, version, cancelRequestedAt, isOld })
    .from(runs)
    .where(and(eq(runs.status, "running"), eq(runs.claimedBy, bootId())));
  const ours = new Map(rows.map((row) => [row.id, row]));
  for (const { runId, stop } of before) {
    const row = ours.get(runId);
    if (!row) stop.abort("lost" satisfies StopReason);
    else if (row.cancelRequestedAt) stop.abort("cancelled" satisfies StopReason);
  }
  for (const { isOld, ...row } of rows) if (isOld) await takeUp(row);
}

/**
 * Cancels children for whom nobody waits any more: the call that started them has ended, because its turn was cancelled or its
 * replica died. Calls that went on in the background wait still.
 */
export async function cancelOrphanedChildren(): Promise<void> {
  const found = await db()
    .select({ id: runs.id })
    .from(runs)
    .innerJoin(toolCalls, eq(toolCalls.id, runs.awaitedBy))
    .where(
      and(
        openRun,
        isNull(runs.cancelRequestedAt),
        notInArray(toolCalls.status, ["pending", "awaiting_approval", "running"]),
        notExists(
          db()
            .select({ one: sql`1` })
            .from(jobs)
            .where(and(eq(jobs.callId, toolCalls.id), inArray(jobs.status, ["pending", "running"]))),
        ),
      ),
    )
    .limit(maxOrphans);
  for (const { id } of found) await endChildRun(id);
}
