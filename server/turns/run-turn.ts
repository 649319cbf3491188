import "server-only";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ApprovalRow } from "@/server/approvals/settle-approval";
import { deletedMeanwhile } from "@/server/conversations/find-conversation";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isConflict, isDatabaseAway, isForeignKeyViolation } from "@/server/platform/sql-state";
import { awaitConfigVersion } from "@/server/platform/versioned-cache";
import { cancelCalls } from "./arrows/cancel-calls";
import { finish } from "./arrows/finish";
import { settleCall } from "./arrows/settle-call";
import { startCall } from "./arrows/start-call";
import { takeBackCall } from "./arrows/take-back-call";
import { askPeople } from "./ask-people";
import { startInBackground } from "./background/start-in-background";
import { withFolderLock } from "./folder-lock";
import { isFinal, type LiveTurn } from "./live-turn";
import { rememberRefusals } from "./note-refusals";
import { planSegment, type ReadyCall, type Segment } from "./plan-segment";
import { refreshTurn } from "./refresh-turn";
import { runCall } from "./run-call";
import { saveFinished } from "./save-finished";
import { saveTurn } from "./save-turn";
import { type TurnContext, turnContextOf } from "./turn-context";
import { tellWatchers } from "./watch-turns";
import { enter, type Work } from "./working-turns";

/** The turn is in other hands, over, or gone with its conversation: there is nothing more to do here. */
class TurnLeft extends Error {}

/** Another turn was submitted under the same Idempotency-Key and is the one that counts, unless its conversation has gone. */
export class SubmittedBefore extends Error {}

/**
 * How long calls that do no harm may run before the database hears of their turn. A turn that is over by then is written
 * once, as a whole; nobody was told of it before.
 */
const longestHoldBackMs = 25;

/** Pauses between attempts to write what has happened, while the database is away. */
const firstPauseMs = 200;
const longestPauseMs = 2_000;

/** A turn that needs more than this many looks at its calls goes in circles. */
const mostSegments = 100;

type Start = {
  /** Milliseconds that somebody waits for a new turn, which may run unwritten for a part of that. */
  holdBack?: number;
  /** What was answered, read together with the turn. */
  answers?: readonly ApprovalRow[];
};

/** Works on a turn that is ours until it rests. */
export function runTurn(live: LiveTurn, { holdBack = 0, answers = [] }: Start = {}): Work {
  const cancelled = new AbortController();
  const known = Promise.withResolvers<void>();
  known.promise.catch(() => {});
  if (live.stored) known.resolve();
  const run = advance({
    live,
    cancelled: cancelled.signal,
    cancel: () => cancelled.abort(new Error("the turn was cancelled")),
    isKnown: known.resolve,
    holdBackMs: Math.min(holdBack, longestHoldBackMs),
    answers,
  }).catch((error) => {
    if (error instanceof TurnLeft) return known.resolve();
    // Whoever waits for the turn to be stored hears why it was not; when it was, nobody hears this.
    known.reject(error);
    if (live.stored) log().error({ err: error, turnId: live.turn.id }, "a turn stopped unexpectedly; recovery will take it up");
    throw error;
  });
  const work: Work = { live, cancelled, known: known.promise, rested: run };
  run.catch(() => {});
  enter(work);
  return work;
}

type Job = {
  live: LiveTurn;
  cancelled: AbortSignal;
  cancel: () => void;
  /** Called when the database has heard of the turn. */
  isKnown: () => void;
  /** Milliseconds that a new turn may run unwritten while it does no harm; 0 for never. */
  holdBackMs: number;
  /** Good for the first look at the calls only. */
  answers: readonly ApprovalRow[];
};

/** One segment after the other: decide up to the first call that needs a person, run what may run, then rest or go on. */
async function advance(job: Job): Promise<void> {
  const { live, cancelled } = job;
  for (let segments = 0; ; segments++) {
    if (segments > mostSegments) throw new Error(`turn ${live.turn.id} does not come to an end`);
    if (cancelled.aborted || live.turn.cancelRequestedAt) return finishCancelled(job);
    const { context, segment } = await patiently(live, () => plan(live, segments === 0 ? job.answers : []));
    // What hooks made of a call is written with whatever is written next.
    for (const row of segment.hooked) live.unsaved.calls.add(row);
    for (const outcome of segment.refused) await settleCall(live, outcome);
    await patiently(live, () => rememberRefusals(live.turn.conversationId, segment.refusals, segment.forgiven));
    for (const { call, outcome } of segment.answered) {
      startCall(live, call);
      await settleCall(live, outcome);
    }
    const isDone = await executeSegment(job, context, segment.ready);
    if (!isDone || cancelled.aborted) continue;
    const { barrier } = segment;
    if (barrier) {
      if (await written(job, () => askPeople(context, live, barrier))) return;
    } else if (live.calls.every(isFinal)) {
      finish(live);
      return saveEnd(job);
    }
  }
}

/** Plans with what is remembered; a tool that seems not to be active yet may have been enabled a moment ago elsewhere. */
async function plan(live: LiveTurn, answers: readonly ApprovalRow[]): Promise<{ context: TurnContext; segment: Segment }> {
  const context = await turnContextOf(live.turn);
  const segment = await planSegment(context, live.calls, answers);
  if (!segment.refused.some(({ isInactive }) => isInactive)) return { context, segment };
  const fresh = await turnContextOf(live.turn, { fresh: true });
  const again = await planSegment(fresh, live.calls);
  return { context: fresh, segment: { ...again, hooked: [...segment.hooked, ...again.hooked] } };
}

/**
 * Neighbours that are concurrency-safe run side by side; the others one at a time behind their folder's lock.
 * @returns false when calls have to be looked at again before they may run.
 */
async function executeSegment(job: Job, context: TurnContext, calls: readonly ReadyCall[]): Promise<boolean> {
  for (const group of neighbours(calls)) {
    if (job.cancelled.aborted) return false;
    // A call that goes to the background only gets its placeholder now, and need not wait for the folder to be free.
    const isSafe = group[0]?.registered.concurrencySafe || group.every(({ inBackground }) => inBackground);
    if (!(await (isSafe ? executeGroup(job, context, group) : alone(job, context, group)))) return false;
  }
  return true;
}

async function alone(job: Job, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const folder = path.relative(env().workspaceRoot, context.folder);
  const work = { beforeWaiting: async () => void (await save(job)), signal: job.cancelled, run: () => executeGroup(job, context, group) };
  return withFolderLock(folder, work).catch((error) => {
    // Cancelled while it waited: nothing of it has started.
    if (!job.cancelled.aborted) throw error;
    return false;
  });
}

/** A call that may run twice without harm: it need not be on record before it starts. */
const isHarmless = ({ registered }: ReadyCall): boolean =>
  registered.mode === "direct" && (registered.effect === "read" || registered.idempotent);

async function executeGroup(job: Job, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const { live, cancelled } = job;
  // Ended by others while it waited for its folder.
  if (group.some(({ row }) => isFinal(row))) return false;
  const sent = group.filter(({ inBackground }) => inBackground);
  if (sent.length > 0) await save(job);
  if (sent.length > 0) await written(job, () => startInBackground(live, sent));
  const calls = group.filter(({ inBackground }) => !inBackground);
  if (calls.length === 0 || cancelled.aborted) return true;

  const mayHoldBack = live.stored === null && job.holdBackMs > 0 && calls.every(isHarmless);
  for (const call of calls) startCall(live, call);
  if (!mayHoldBack) {
    const isUndisturbed = await save(job);
    if (!isUndisturbed || !isStillRight(live, context)) return takeBack(job, calls);
  }
  if (cancelled.aborted) return true;

  let open = calls.length;
  let isEveryoneDone = true;
  const running = { live, cancelled, save: async () => void (await save(job)) };
  const ends = calls.map(async (call) => {
    if (!(await runCall(running, context, call))) isEveryoneDone = false;
    open -= 1;
    // What has happened is written at once while neighbours go on; after the last of them the next step writes it.
    if (open > 0 && live.stored) await save(job);
  });
  const all = Promise.allSettled(ends);
  if (mayHoldBack) await saveUnlessOver(job, all);
  // Every call of the group ends before a failure to store one of them is heard of: nothing runs on behind our back.
  for (const end of await all) if (end.status === "rejected") throw end.reason;
  return isEveryoneDone;
}

/** Whether the configuration that calls were decided under was still the newest when they were put on record. */
const isStillRight = (live: LiveTurn, { configVersion }: TurnContext): boolean => live.configVersion <= configVersion;

/** Somebody has changed tools or rules a moment ago, or the turn itself: what has not begun yet is looked at again. */
async function takeBack(job: Job, calls: readonly ReadyCall[]): Promise<false> {
  const { live } = job;
  awaitConfigVersion(live.turn.workspaceId, live.configVersion);
  for (const { row } of calls.filter(({ row }) => !isFinal(row))) takeBackCall(live, row);
  await save(job);
  return false;
}

async function saveUnlessOver(job: Job, all: Promise<unknown>): Promise<void> {
  const { promise: held, resolve } = Promise.withResolvers<"held">();
  const timer = setTimeout(() => resolve("held"), job.holdBackMs);
  const first = await Promise.race([all, held]);
  clearTimeout(timer);
  if (first !== "held") return;
  await save(job).catch(async (error) => {
    // Nobody will hear of this turn: what runs for it is stopped, and waited for.
    job.cancel();
    await all;
    throw error;
  });
}

/** Writes what happened so far. @returns false when somebody else had written meanwhile, so that plans may be out of date. */
async function save(job: Job): Promise<boolean> {
  let isUndisturbed = true;
  while (!(await written(job, () => saveTurn(job.live)))) isUndisturbed = false;
  return isUndisturbed;
}

/**
 * Writes something of the turn, and notices what others did meanwhile. What the database has heard of is written however
 * long it stays away; a turn that it has never seen fails at once, and nothing of it counts.
 * @returns false when the rows were not as expected: they are known again now, and what to do may be another thing.
 * @throws TurnLeft, SubmittedBefore
 */
async function written(job: Job, write: () => Promise<boolean>): Promise<boolean> {
  const { live } = job;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const isNew = live.stored === null;
    try {
      const isWritten = await write();
      if (isWritten) {
        job.isKnown();
        if (!isNew || live.turn.finishedAt === null) tellWatchers(live.turn.id, { rests: live.turn.status !== "running" });
      } else await keepUp(job);
      return isWritten;
    } catch (error) {
      if (isNew && isForeignKeyViolation(error)) throw deletedMeanwhile();
      const mayComeAgain = isConflict(error) || (!isNew && isDatabaseAway(error));
      if (!mayComeAgain || shutdownSignal().aborted) throw error;
      log().warn({ err: error, turnId: live.turn.id }, "a turn waits to be written");
      await pause(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** Does something for a turn that is on record, however long the database stays away meanwhile. */
async function patiently<T>({ stored }: LiveTurn, work: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (stored === null || !isDatabaseAway(error) || shutdownSignal().aborted) throw error;
      await pause(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

/** Takes note of what others did to the turn. */
async function keepUp({ live, cancelled, cancel }: Job): Promise<void> {
  const isNew = live.stored === null;
  const refreshed = await refreshTurn(live);
  if (refreshed === "ours") {
    if (live.turn.cancelRequestedAt) cancel();
    return;
  }
  if (refreshed === "missing" && isNew) throw new SubmittedBefore();
  if (!cancelled.aborted) log().info({ turnId: live.turn.id }, "a turn was ended or taken over by others while it ran here");
  throw new TurnLeft();
}

async function finishCancelled(job: Job): Promise<void> {
  const { live } = job;
  live.turn.cancelRequestedAt ??= new Date();
  await cancelCalls(live);
  await saveEnd(job);
}

/** Writes the end of a turn, and tells those who want to be told of it. */
async function saveEnd(job: Job): Promise<void> {
  while (!(await written(job, () => saveFinished(job.live))));
}

/** Cuts a segment into runs of concurrency-safe neighbours and single unsafe calls, in order. */
export function neighbours<T extends { registered: { concurrencySafe: boolean } }>(calls: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const joins = call.registered.concurrencySafe && last?.[0]?.registered.concurrencySafe;
    if (joins) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
