import "server-only";
import { and, eq, notInArray, or, sql } from "drizzle-orm";
import { turns } from "@/db/schema";
import { voidPendingApprovals } from "@/server/approvals/void-pending-approvals";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { isReplicaGone } from "@/server/replicas/presence";
import { endReplica, recordReturn, runningReplicas } from "@/server/replicas/replica-record";
import { loadCatalog } from "@/server/tools/catalog";
import { findTurnTask } from "../active-turns";
import { recoverJobs } from "../background/recover-jobs";
import { loadCallFacts } from "../call-facts";
import { storedTurn } from "../live-turn";
import { sentences } from "../outcome";
import { loadTurn, loadTurnIn } from "../read/load-turn";
import { runTurn } from "../run-turn";
import { saveFinishedIn } from "../save/save-finished";
import { saveTurn } from "../save/save-turn";
import { takeOverTurn } from "../transitions/take-over-turn";
import { resumeAnswered } from "./resume-turn";

/**
 * Grace after our claim of a turn, because its task may not be registered yet. Measured by the database's clock, which
 * wrote the time of the claim.
 */
const claimGraceSeconds = 5;

/** Replicas whose lock is free, and since when (milliseconds since 1970). */
const suspects = () => processWide("suspectReplicas", () => new Map<string, number>());

/** Time for which a replica's lock must be free, because a restart of Postgres releases all locks for a moment. */
const patienceMs = 3_000;

/**
 * Finds lost replicas, abandoned turns and missed cancellations. Every replica runs this every second, so it is cheap,
 * and a lost signal costs at most a second.
 */
export async function noticeLostReplicas(): Promise<void> {
  const running = await runningReplicas();
  // Another replica recorded us as lost while our connection was broken.
  if (!running.includes(bootId())) await recordReturn();
  const others = running.filter((other) => other !== bootId());
  for (const suspect of suspects().keys()) if (!others.includes(suspect)) suspects().delete(suspect);
  for (const other of others) {
    if (!(await isReplicaGone(other))) {
      suspects().delete(other);
      continue;
    }
    const since = suspects().get(other) ?? Date.now();
    suspects().set(other, since);
    if (Date.now() - since < patienceMs) continue;
    suspects().delete(other);
    if (await endReplica(other, "lost")) log().warn({ replica: other }, "a replica is gone; its turns are taken over");
    await recoverJobs(async (replica) => replica !== other);
  }
  await takeUpAbandoned();
}

/**
 * Recovers every turn that no replica runs: turns of lost replicas, our own that stopped on an error, and suspended
 * turns whose answer was missed. Several replicas may run this at once.
 */
export async function recoverTurns(): Promise<void> {
  const alive = await takeUpAbandoned();
  await recoverJobs(async (replica) => alive.has(replica) || !(await isGone(replica)));
  await resumeAnswered({ afterMs: 0 });
}

/**
 * Recovers running turns of ended replicas and our own that stopped on an error. Aborts our own turns whose cancellation signal was lost.
 * @returns boot ids of the running replicas
 */
async function takeUpAbandoned(): Promise<Set<string>> {
  const alive = [bootId(), ...(await runningReplicas())];
  const isOld = sql<boolean>`${turns.updatedAt} < now() - make_interval(secs => ${claimGraceSeconds})`;
  const isCancelled = sql<boolean>`${turns.cancelRequestedAt} is not null`;
  const found = await db()
    .select({ id: turns.id, claimedBy: turns.claimedBy, isOld, isCancelled })
    .from(turns)
    .where(
      and(eq(turns.status, "running"), or(notInArray(turns.claimedBy, alive), and(eq(turns.claimedBy, bootId()), or(isOld, isCancelled)))),
    );
  for (const { id, claimedBy, isOld, isCancelled } of found) {
    const task = findTurnTask(id);
    if (claimedBy !== bootId() ? await isGone(claimedBy) : !task && isOld) {
      // A turn that cannot be recovered must not delay the rest.
      await takeUp(id, claimedBy).catch((error) => log().error({ err: error, turnId: id }, "a turn could not be taken up yet"));
    } else if (isCancelled) task?.cancelled.abort(new Error("the turn was cancelled"));
  }
  return new Set(alive);
}

/** Checks the lock of a replica that the list of running ones lacks, because a replica that has just started or returned holds its lock. */
async function isGone(replica: string | null): Promise<boolean> {
  return replica === null || isReplicaGone(replica);
}

/** Claims an orphaned turn, settles the calls that its former owner left running, and continues the turn. */
async function takeUp(turnId: string, formerOwner: string | null): Promise<void> {
  const orphan = await loadTurn(turnId);
  if (!orphan) return;
  // Loaded before the transaction, because code that holds a connection must not wait for a second one.
  const catalog = await loadCatalog(orphan.turn.workspaceId);
  const facts = await loadCallFacts(orphan.turn);
  // An active task of this process ends by itself, or notices that the turn was claimed. A second task must not start,
  // because the rows cannot tell two tasks of one replica apart.
  if (findTurnTask(turnId)) return;
  const live = await db().transaction(async (tx) => {
    const locked = await lockTurn(tx, turnId);
    if (locked?.status !== "running" || locked.claimedBy !== formerOwner) return null;
    // Written since we loaded the turn: its owner still runs it, or another replica was faster.
    if (locked.version !== orphan.turn.version) return null;
    const loaded = await loadTurnIn(tx, turnId);
    if (!loaded) return null;
    const live = { ...storedTurn(loaded.turn, loaded.calls), facts };
    await takeOverTurn(live, ({ name }) => {
      const tool = catalog.find(name);
      return tool !== undefined && (tool.effect === "read" || tool.idempotent);
    });
    const interrupted = live.calls.filter((call) => call.status === "interrupted" && live.unsaved.calls.has(call));
    await voidPendingApprovals(
      tx,
      interrupted.map(({ id }) => id),
      { actor: systemActor, why: sentences.nobodyWaits },
    );
    const isOver = live.turn.status !== "running";
    return (await (isOver ? saveFinishedIn(tx, live) : saveTurn(live, tx))) ? live : null;
  });
  if (live?.turn.status === "running") runTurn(live);
}
