import "server-only";
import { and, eq, notInArray, or, sql } from "drizzle-orm";
import { turns } from "@/db/schema";
import { voidQuestions } from "@/server/approvals/void-questions";
import { systemActor } from "@/server/auth/actor";
import { lockTurn } from "@/server/conversations/turn-events";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { isAway } from "@/server/replicas/presence";
import { endReplica, recordReturn, runningReplicas } from "@/server/replicas/replica-record";
import { catalogOf } from "@/server/tools/catalog";
import { takeOver } from "./arrows/take-over";
import { recoverJobs } from "./background/recover-jobs";
import { storedTurn } from "./live-turn";
import { loadTurn, loadTurnIn } from "./load-turn";
import { sentences } from "./outcome";
import { resumeAnswered } from "./resume-turn";
import { runTurn } from "./run-turn";
import { saveFinishedIn } from "./save-finished";
import { saveTurn } from "./save-turn";
import { workOn } from "./working-turns";

/** A turn that we claimed this recently is about to be worked on. By the database's clock, which wrote down when. */
const claimGraceSeconds = 5;

/** Replicas that are away, since when (milliseconds since 1970). */
const suspects = () => processWide("suspectReplicas", () => new Map<string, number>());

/** A restart of Postgres takes everybody's locks for a moment: only who stays away is gone. */
const patienceMs = 3_000;

/**
 * Looks which replicas are gone, what nobody works on, and what is to be stopped. Every replica does it every second, so it
 * is cheap, and no lost signal costs more than that.
 */
export async function noticeLostReplicas(): Promise<void> {
  const running = await runningReplicas();
  // Others took us for gone while our connection was broken.
  if (!running.includes(bootId())) await recordReturn();
  const others = running.filter((other) => other !== bootId());
  for (const suspect of suspects().keys()) if (!others.includes(suspect)) suspects().delete(suspect);
  for (const other of others) {
    if (!(await isAway(other))) {
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
 * Takes up every turn that nobody works on: of replicas that are gone, however long ago, of ours that stopped on an
 * error, and those whose answer nobody has heard of. Several replicas may run it at once.
 */
export async function recoverTurns(): Promise<void> {
  const alive = await takeUpAbandoned();
  await recoverJobs(async (replica) => alive.has(replica) || !(await isGone(replica)));
  await resumeAnswered({ afterMs: 0 });
}

/**
 * Takes up running turns of replicas that have ended, killed or in order, and our own that stopped on an error; and stops
 * our own that were cancelled without our hearing of it.
 * @returns the replicas that are there
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
    const work = workOn(id);
    if (claimedBy !== bootId() ? await isGone(claimedBy) : !work && isOld) {
      // One that cannot be taken up keeps none of the others waiting.
      await takeUp(id, claimedBy).catch((error) => log().error({ err: error, turnId: id }, "a turn could not be taken up yet"));
    } else if (isCancelled) work?.cancelled.abort(new Error("the turn was cancelled"));
  }
  return new Set(alive);
}

/** Not among the replicas that we know, and really not there: one that began a moment ago, or came back, holds its lock. */
async function isGone(replica: string | null): Promise<boolean> {
  return replica === null || isAway(replica);
}

/** Claims an orphaned turn, settles what its former owner left running, and goes on with the rest. */
async function takeUp(turnId: string, formerOwner: string | null): Promise<void> {
  const orphan = await loadTurn(turnId);
  if (!orphan) return;
  // Before the transaction: whoever holds a connection must not wait for another one.
  const catalog = await catalogOf(orphan.turn.workspaceId);
  // What still goes on here ends by itself, or notices that the turn was taken: two works of one replica are not told apart.
  if (workOn(turnId)) return;
  const live = await db().transaction(async (tx) => {
    const locked = await lockTurn(tx, turnId);
    if (locked?.status !== "running" || locked.claimedBy !== formerOwner) return null;
    // Somebody is at work on it after all, or was here first.
    if (locked.version !== orphan.turn.version) return null;
    const loaded = await loadTurnIn(tx, turnId);
    if (!loaded) return null;
    const live = storedTurn(loaded.turn, loaded.calls);
    await takeOver(live, ({ name }) => {
      const tool = catalog.find(name);
      return tool !== undefined && (tool.effect === "read" || tool.idempotent);
    });
    const interrupted = live.calls.filter((call) => call.status === "interrupted" && live.unsaved.calls.has(call));
    await voidQuestions(
      tx,
      interrupted.map(({ id }) => id),
      { actor: systemActor, why: sentences.nobodyWaits },
    );
    const isOver = live.turn.status !== "running";
    return (await (isOver ? saveFinishedIn(tx, live) : saveTurn(live, tx))) ? live : null;
  });
  if (live?.turn.status === "running") runTurn(live);
}
