import "server-only";
import path from "node:path";
import { countUse } from "@/server/approvals/grants/count-use";
import { env } from "@/server/platform/env";
import { awaitConfigVersion } from "@/server/platform/signals/versioned-cache";
import { startInBackground } from "../background/start-in-background";
import { areStillComplete } from "../decide/complete-arguments";
import { withFolderLock } from "../execute/folder-lock";
import { answerFromCache } from "../hooks/after-hooks";
import { isFinal, type LiveTurn } from "../live-turn";
import { findResultLimits } from "../result-limits";
import { runCall } from "../run-call";
import type { ReadyCall, Segment } from "../step-data";
import { recordIntent } from "../transitions/record-intent";
import { releaseCall } from "../transitions/release-call";
import { returnCall } from "../transitions/return-call";
import { settleCall } from "../transitions/settle-call";
import { startCall } from "../transitions/start-call";
import type { TurnContext } from "../turn-context";
import type { TurnRun } from "../turn-run";
import { saveChanges, writeThrough } from "./save-changes";
import { settleEnded } from "./settle-calls";

/**
 * Step 4 of a turn: runs the allowed calls. Concurrency-safe neighbours run in parallel, the other calls one at a time
 * under their folder's lock. Each call is settled and stored as it ends.
 * @returns false when calls must be planned again before they may run
 */
export async function executeCalls(run: TurnRun, { context, answered, ready }: Segment): Promise<boolean> {
  if (run.live.turn.machine) return releaseAll(run.live, [...answered.map(({ call }) => call), ...ready]);
  for (const { call, cached } of answered) {
    startCall(run.live, call);
    const limits = findResultLimits(context, call.registered);
    await settleCall(run.live, { ...(await answerFromCache(context, call, cached)), limits });
  }
  for (const group of groupConcurrentCalls(ready)) {
    if (run.cancelled.aborted) return false;
    // A background call only gets its placeholder now, so it needs no folder lock.
    const isSafe = group[0]?.registered.concurrencySafe || group.every(({ inBackground }) => inBackground);
    if (!(await (isSafe ? executeGroup(run, context, group) : executeLocked(run, context, group)))) return false;
  }
  return true;
}

/** Releases calls to the client that runs them. A cached result is of no use to it, because it runs the call anyway. */
async function releaseAll(live: LiveTurn, calls: readonly ReadyCall[]): Promise<true> {
  for (const call of calls) {
    if (call.decision.grantId) await countUse(call.decision.grantId);
    releaseCall(live, call);
  }
  return true;
}

/** Runs a group under its folder's lock. A cancellation ends the wait for the lock; errors of the group itself are thrown. */
async function executeLocked(run: TurnRun, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const folder = path.relative(env().workspaceRoot, context.folder);
  const beforeWaiting = async () => void (await saveChanges(run));
  const work = { beforeWaiting, signal: run.cancelled, run: () => executeGroup(run, context, group) };
  return withFolderLock(folder, work).catch((error) => {
    if (error !== run.cancelled.reason) throw error;
    return false;
  });
}

/** Whether a call changes nothing and so need not be stored before it starts. */
const isHarmless = ({ registered }: ReadyCall): boolean => registered.mode === "direct" && registered.effect === "read";

async function executeGroup(run: TurnRun, context: TurnContext, group: readonly ReadyCall[]): Promise<boolean> {
  const { live, cancelled } = run;
  // Another writer ended the call while it waited for its folder.
  if (group.some(({ row }) => isFinal(row))) return false;
  if (!(await areStillComplete(context, group))) return false;
  const sent = group.filter(({ inBackground }) => inBackground);
  if (sent.length > 0) await saveChanges(run);
  if (sent.length > 0) await writeThrough(run, () => startInBackground(live, sent));
  const calls = group.filter(({ inBackground }) => !inBackground);
  if (calls.length === 0 || cancelled.aborted) return true;

  const mayHoldBack = live.stored === null && run.holdBackMs > 0 && calls.every(isHarmless);
  for (const call of calls) startCall(live, call);
  for (const call of calls) if (!isHarmless(call)) recordIntent(live, call.row);
  if (!mayHoldBack) {
    const isUndisturbed = await saveChanges(run);
    if (!isUndisturbed || !isStillRight(live, context)) return takeBack(run, calls);
  }
  if (cancelled.aborted) return true;

  let open = calls.length;
  let isEveryoneDone = true;
  const running = { live, cancelled, save: async () => void (await saveChanges(run)) };
  const ends = calls.map(async (call) => {
    const end = await runCall(running, context, call);
    if (end.kind === "returned") isEveryoneDone = false;
    else await settleEnded(live, context, call, end);
    open -= 1;
    // Each end is stored at once while neighbours run; the next step stores the last end.
    if (open > 0 && live.stored) await saveChanges(run);
  });
  const all = Promise.allSettled(ends);
  if (mayHoldBack) await saveUnlessOver(run, all);
  // A failure to store is thrown only after every call of the group has ended, so that no call runs on unnoticed.
  for (const end of await all) if (end.status === "rejected") throw end.reason;
  return isEveryoneDone;
}

/** Whether the calls were decided under the configuration that was newest when they were stored. */
const isStillRight = (live: LiveTurn, { configVersion }: TurnContext): boolean => live.configVersion <= configVersion;

/** Puts calls that have not begun back into planning, because tools, rules or the turn itself changed meanwhile. */
async function takeBack(run: TurnRun, calls: readonly ReadyCall[]): Promise<false> {
  const { live } = run;
  awaitConfigVersion(live.turn.workspaceId, live.configVersion);
  for (const { row } of calls.filter(({ row }) => !isFinal(row))) returnCall(live, row);
  await saveChanges(run);
  return false;
}

async function saveUnlessOver(run: TurnRun, all: Promise<unknown>): Promise<void> {
  const { promise: held, resolve } = Promise.withResolvers<"held">();
  const timer = setTimeout(() => resolve("held"), run.holdBackMs);
  const first = await Promise.race([all, held]);
  clearTimeout(timer);
  if (first !== "held") return;
  await saveChanges(run).catch(async (error) => {
    // The turn will never be stored, so its running calls are stopped and awaited.
    run.cancel();
    await all;
    throw error;
  });
}

type Groupable = { registered: { name: string; concurrencySafe: boolean }; tool: { needs: readonly string[] } };

/**
 * Cuts a segment into runs of concurrency-safe neighbours and single unsafe calls, in order. Different calls about jobs are not
 * neighbours, because one decides the other's result: a job that is waited for and then read, or stopped.
 */
export function groupConcurrentCalls<T extends Groupable>(calls: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const isNeighbour = call.registered.concurrencySafe && last?.[0]?.registered.concurrencySafe;
    const isOrdered = isOfJobs(call) && last?.some((other) => isOfJobs(other) && other.registered.name !== call.registered.name);
    if (last && isNeighbour && !isOrdered) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

const isOfJobs = ({ tool }: Groupable): boolean => tool.needs.includes("jobs");
