import "server-only";
import path from "node:path";
import type { ApprovalRow } from "@/server/approvals/settle-approval";
import { deletedMeanwhile } from "@/server/conversations/find-conversation";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { retry } from "@/server/platform/retry";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isConflict, isDatabaseAway, isForeignKeyViolation, isWriteRefused } from "@/server/platform/sql-state";
import { throughOutages } from "@/server/platform/through-outages";
import { awaitConfigVersion } from "@/server/platform/versioned-cache";
import { registerTurnTask, type TurnTask } from "./active-turns";
import { startInBackground } from "./background/start-in-background";
import { toCallFacts } from "./call-facts";
import { withFolderLock } from "./folder-lock";
import { isFinal, type LiveTurn } from "./live-turn";
import { planSegment, type ReadyCall, type Segment } from "./plan-segment";
import { refreshTurn } from "./refresh-turn";
import { rememberRefusals } from "./remember-refusals";
import { runCall } from "./run-call";
import { saveFinished } from "./save-finished";
import { saveTurn } from "./save-turn";
import { suspendForApproval } from "./suspend-for-approval";
import { cancelCalls } from "./transitions/cancel-calls";
import { finishTurn } from "./transitions/finish-turn";
import { recordIntent } from "./transitions/record-intent";
import { returnCall } from "./transitions/return-call";
import { settleCall } from "./transitions/settle-call";
import { startCall } from "./transitions/start-call";
import { loadTurnContext, type TurnContext } from "./turn-context";
import { tellWatchers } from "./watch-turns";

/** Another replica claimed the turn, or it ended or was deleted. Stop silently. */
class TurnLeft extends Error {}

/** Another turn was stored first under the same Idempotency-Key, or the conversation was deleted. */
export class DuplicateSubmission extends Error {}

/**
 * Time for which harmless calls may run before their turn is stored. A turn that finishes within it is written once,
 * because nobody was told of the turn before.
 */
const longestHoldBackMs = 25;

/** Pauses between attempts to write while the database is away. */
const pauses = { firstPauseMs: 200, longestPauseMs: 2_000 };

/** Maximum of planning passes of a turn; a turn that needs more is in a loop. */
const mostSegments = 100;

type Start = {
  /** Milliseconds that the submitter waits for a new turn, which may run unstored for at most `longestHoldBackMs` of them. */
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
  const run = advance({
    live,
    cancelled: cancelled.signal,
    cancel: () => cancelled.abort(new Error("the turn was cancelled")),
    isKnown: known.resolve,
    holdBackMs: Math.min(holdBack, longestHoldBackMs),
    answers,
  }).catch((error) => {
    if (error instanceof TurnLeft) return known.resolve();
    // Tells waiting callers why the turn was not stored; no effect when it was, because `known` has already resolved.
    known.reject(error);
    const told = { err: error, turnId: live.turn.id };
    if (live.stored && shutdownSignal().aborted) log().info(told, "a turn stopped with the server; recovery will take it up");
    else if (live.stored) log().error(told, "a turn stopped unexpectedly; recovery will take it up");
    throw error;
  });
  const task: TurnTask = { live, cancelled, known: known.promise, rested: run };
  run.catch(() => {});
  registerTurnTask(task);
  return task;
}

type Job = {
  live: LiveTurn;
  cancelled: AbortSignal;
  cancel: () => void;
  /** Called when the turn is stored. */
  isKnown: () => void;
  /** Milliseconds that a new turn may run unstored while its calls are harmless; 0 for never. */
  holdBackMs: number;
  /** Approvals known when the turn starts; valid for the first planning pass only. */
  answers: readonly ApprovalRow[];
};

/** Runs the turn segment by segment: decides up to the first call that needs a person, runs the allowed calls, then rests or goes on. */
async function advance(job: Job): Promise<void> {
  const { live, cancelled } = job;
  for (let segments = 0; ; segments++) {
    if (segments > mostSegments) throw new Error(`turn ${live.turn.id} does not come to an end`);
    if (cancelled.aborted || live.turn.cancelRequestedAt) return finishCancelled(job);
    const { context, segment } = await retryWhileDatabaseAway(live, () => plan(live, segments === 0 ? job.answers : []));
    // Changes by hooks are stored with the next write.
    for (const row of segment.hooked) live.unsaved.calls.add(row);
    for (const outcome of segment.refused) await settleCall(live, outcome);
    await retryWhileDatabaseAway(live, () => rememberRefusals(live.turn.conversationId, segment.refusals, segment.forgiven));
    for (const { call, outcome } of segment.answered) {
      startCall(live, call);
      await settleCall(live, outcome);
    }
    const isDone = await executeSegment(job, context, segment.ready);
    if (!isDone || cancelled.aborted) continue;
    const { barrier } = segment;
    if (barrier) {
      if (await written(job, () => suspendForApproval(context, live, barrier))) return;
    } else if (live.calls.every(isFinal)) {
      finishTurn(live);
      return saveEnd(job);
    }
  }
}

/**
 * Plans with the remembered conversation. When a tool seems inactive, plans again with the stored one, because another
 * replica may have activated the tool a moment ago.
 */
async function plan(live: LiveTurn, answers: readonly ApprovalRow[]): Promise<{ context: TurnContext; segment: Segment }> {
  const context = await loadTurnContext(live.turn);
  live.facts = toCallFacts(context.agent, context.scope.catalog);
  const segment = await planSegment(context, live.calls, answers);
  if (!segment.refused.some(({ isInactive }) => isInactive)) return { context, segment };
  const fresh = await loadTurnContext(live.turn, { fresh: true });
  const again = await planSegment(fresh, live.calls);
  return { context: fresh, segment: { ...again, hooked: [...segment.hooked, ...again.hooked] } };
}

/**
 * Runs concurrency-safe neighbours in parallel, and the other calls one at a time under their folder's lock.
 * @returns false when calls must be planned again before they may run
 */
async function executeSegment(job: Job, context: TurnContext, calls: readonly ReadyCall[]): Promise<boolean> {
  for (const group of groupConcurrentCalls(calls)) {
    if (job.cancelled.aborted) return false;
    // A background call only gets its placeholder now, so it needs no folder lock.
    const isSafe = group[0]?.registered.concurrencySafe || group.every(({ inBackground }) => inBackground);
    if (!(await (isSafe ? executeGroup(job, context, group) : runWithoutRecord(job, context, group)))) return false;
  }
  return true;
}

async function runWithoutRecord(job: Job, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const folder = path.relative(env().workspaceRoot, context.folder);
  const work = { beforeWaiting: async () => void (await save(job)), signal: job.cancelled, run: () => executeGroup(job, context, group) };
  return withFolderLock(folder, work).catch((error) => {
    // Cancelled, as a rule while waiting for the lock: `advance` ends the open calls next.
    if (!job.cancelled.aborted) throw error;
    return false;
  });
}

/** Whether a call changes nothing and so need not be stored before it starts. */
const isHarmless = ({ registered }: ReadyCall): boolean => registered.mode === "direct" && registered.effect === "read";

async function executeGroup(job: Job, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const { live, cancelled } = job;
  // Another writer ended the call while it waited for its folder.
  if (group.some(({ row }) => isFinal(row))) return false;
  const sent = group.filter(({ inBackground }) => inBackground);
  if (sent.length > 0) await save(job);
  if (sent.length > 0) await written(job, () => startInBackground(live, sent));
  const calls = group.filter(({ inBackground }) => !inBackground);
  if (calls.length === 0 || cancelled.aborted) return true;

  const mayHoldBack = live.stored === null && job.holdBackMs > 0 && calls.every(isHarmless);
  for (const call of calls) startCall(live, call);
  for (const call of calls) if (!isHarmless(call)) recordIntent(live, call.row);
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
    // Each end is stored at once while neighbours run; the next step stores the last end.
    if (open > 0 && live.stored) await save(job);
  });
  const all = Promise.allSettled(ends);
  if (mayHoldBack) await saveUnlessOver(job, all);
  // A failure to store is thrown only after every call of the group has ended, so that no call runs on unnoticed.
  for (const end of await all) if (end.status === "rejected") throw end.reason;
  return isEveryoneDone;
}

/** Whether the calls were decided under the configuration that was newest when they were stored. */
const isStillRight = (live: LiveTurn, { configVersion }: TurnContext): boolean => live.configVersion <= configVersion;

/** Puts calls that have not begun back into planning, because tools, rules or the turn itself changed meanwhile. */
async function takeBack(job: Job, calls: readonly ReadyCall[]): Promise<false> {
  const { live } = job;
  awaitConfigVersion(live.turn.workspaceId, live.configVersion);
  for (const { row } of calls.filter(({ row }) => !isFinal(row))) returnCall(live, row);
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
    // The turn will never be stored, so its running calls are stopped and awaited.
    job.cancel();
    await all;
    throw error;
  });
}

/** Writes all unsaved changes. @returns false when somebody else wrote meanwhile, so that plans may be out of date */
async function save(job: Job): Promise<boolean> {
  let isUndisturbed = true;
  while (!(await written(job, () => saveTurn(job.live)))) isUndisturbed = false;
  return isUndisturbed;
}

/**
 * Runs one write of the turn, and adopts what others wrote meanwhile. A write of a stored turn is repeated for as long
 * as the database stays away; a turn that was never stored fails at once and leaves nothing.
 * @returns false when the rows were not as expected; `live` is up to date again, and the caller must decide anew
 * @throws TurnLeft, DuplicateSubmission
 */
async function written(job: Job, write: () => Promise<boolean>): Promise<boolean> {
  const { live } = job;
  let isNew = live.stored === null;
  const attempt = async () => {
    isNew = live.stored === null;
    try {
      return await announceOrRefresh(job, isNew, await write());
    } catch (error) {
      if (isNew && isForeignKeyViolation(error)) throw deletedMeanwhile();
      const isRefused = !isNew && isWriteRefused(error) && !shutdownSignal().aborted;
      const isWritten = isRefused ? await writtenWithoutAudit(job, write) : null;
      if (isWritten !== null) return announceOrRefresh(job, isNew, isWritten);
      throw error;
    }
  };
  const mayRecover = (error: Error) => {
    const mayComeAgain = isConflict(error) || (!isNew && (isWriteRefused(error) || isDatabaseAway(error)));
    if (!mayComeAgain || shutdownSignal().aborted) return false;
    log().warn({ err: error, turnId: live.turn.id }, "a turn waits to be written");
    return true;
  };
  return retry(attempt, { ...pauses, mayRecover });
}

/** Announces a write that succeeded, or adopts what others wrote. */
async function announceOrRefresh(job: Job, isNew: boolean, isWritten: boolean): Promise<boolean> {
  const { turn } = job.live;
  if (isWritten) {
    job.isKnown();
    if (!isNew || turn.finishedAt === null) tellWatchers(turn.id, { rests: turn.status !== "running" });
  } else await adoptOtherChanges(job);
  return isWritten;
}

/**
 * Stores the outcomes of finished calls with their audit rows in the backlog, in case only the audit cannot be
 * written. Calls that have not begun stay unwritten, because their intent must be in the audit first.
 * @returns null when unsaved changes are left
 */
async function writtenWithoutAudit({ live }: Job, write: () => Promise<boolean>): Promise<boolean | null> {
  live.isAuditRefused = true;
  try {
    const isWritten = await write().catch(async (error) => {
      // A new approval needs its own audit row and fails with it; the outcomes before the approval must not wait.
      if (live.turn.finishedAt === null) await saveTurn(live);
      throw error;
    });
    return isWritten && live.unsaved.audit.length > 0 ? null : isWritten;
  } catch (error) {
    log().warn({ err: error, turnId: live.turn.id }, "the database takes neither audit rows nor outcomes");
    return null;
  } finally {
    live.isAuditRefused = false;
  }
}

/** Repeats work for a stored turn for as long as the database stays away; an unstored turn gets one attempt. */
function retryWhileDatabaseAway<T>({ stored }: LiveTurn, work: () => Promise<T>): Promise<T> {
  return stored === null ? work() : throughOutages(work);
}

/** Adopts what others did to the turn. @throws TurnLeft, DuplicateSubmission */
async function adoptOtherChanges({ live, cancelled, cancel }: Job): Promise<void> {
  const isNew = live.stored === null;
  const refreshed = await refreshTurn(live);
  if (refreshed === "ours") {
    if (live.turn.cancelRequestedAt) cancel();
    return;
  }
  if (refreshed === "missing" && isNew) throw new DuplicateSubmission();
  if (!cancelled.aborted) log().info({ turnId: live.turn.id }, "a turn was ended or taken over by others while it ran here");
  throw new TurnLeft();
}

async function finishCancelled(job: Job): Promise<void> {
  const { live } = job;
  live.turn.cancelRequestedAt ??= new Date();
  await cancelCalls(live);
  await saveEnd(job);
}

/** Writes the end of a turn, with the events that announce it. */
async function saveEnd(job: Job): Promise<void> {
  while (!(await written(job, () => saveFinished(job.live))));
}

/** Cuts a segment into runs of concurrency-safe neighbours and single unsafe calls, in order. */
export function groupConcurrentCalls<T extends { registered: { concurrencySafe: boolean } }>(calls: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const joins = call.registered.concurrencySafe && last?.[0]?.registered.concurrencySafe;
    if (joins) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
