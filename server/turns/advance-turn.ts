import "server-only";
import { onSignal } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { finishCancelled } from "./cancel-turn";
import { executeCall } from "./execute-call";
import { withFolderLock } from "./folder-lock";
import { loadTurn } from "./load-turn";
import { planSegment, type ReadyCall } from "./plan-segment";
import { settleCalls } from "./settle-calls";
import { startCalls } from "./start-calls";
import { suspendTurn } from "./suspend-turn";
import { type TurnContext, turnContextOf } from "./turn-context";

/** Turns that this replica is working on now. */
const working = () => processWide("workingTurns", () => new Map<string, Promise<void>>());

export function isWorkingOn(turnId: string): boolean {
  return working().has(turnId);
}

/** Resolves when every turn that this replica works on has come to rest. */
export async function turnsAtRest(): Promise<void> {
  while (working().size > 0) await Promise.allSettled(working().values());
}

/** Works on a claimed turn until it rests. Whoever waits for it watches the row; a failure is left to recovery. */
export function advanceInBackground(turnId: string): void {
  if (isWorkingOn(turnId)) return;
  const work = advanceTurn(turnId)
    .catch((error) => log().error({ err: error, turnId }, "a turn stopped unexpectedly; recovery will take it up"))
    .finally(() => working().delete(turnId));
  working().set(turnId, work);
}

/** One segment after the other: decide up to the first call that needs a person, run what may run, then rest or go on. */
async function advanceTurn(turnId: string): Promise<void> {
  const cancelled = new AbortController();
  const off = onSignal("turn", (received) => {
    if (received.turnId === turnId && received.cancel) cancelled.abort(new Error("the turn was cancelled"));
  });
  try {
    while (true) {
      const loaded = await loadTurn(db(), turnId);
      if (loaded?.turn.status !== "running" || loaded.turn.claimedBy !== bootId()) return;
      if (loaded.turn.cancelRequestedAt) return await finishCancelled(turnId);
      const context = await turnContextOf(loaded.turn);
      const { refused, ready, barrier } = await planSegment(context, loaded.calls);
      const isNothingOpen = refused.length === 0 && ready.length === 0 && !barrier;
      if (refused.length > 0 || isNothingOpen) await settleCalls(turnId, refused);
      if (isNothingOpen) return;
      await executeSegment(context, ready, cancelled.signal);
      if (barrier && !cancelled.signal.aborted && (await suspendTurn(context, barrier))) return;
    }
  } finally {
    off();
  }
}

/** Neighbours that are concurrency-safe run side by side; the others one at a time behind their folder's lock. */
async function executeSegment(context: TurnContext, calls: readonly ReadyCall[], signal: AbortSignal): Promise<void> {
  for (const group of neighbours(calls)) {
    const [first] = group;
    const run = () => executeGroup(context, group, signal);
    await (first?.registered.concurrencySafe ? run() : withFolderLock(context.folder, run));
  }
}

async function executeGroup(context: TurnContext, group: readonly ReadyCall[], signal: AbortSignal): Promise<void> {
  const { turn } = context;
  const started = await startCalls(turn.id, group);
  // Every call of the group ends before a failure to store one of them is heard of: nothing runs on behind our back.
  const ends = await Promise.allSettled(started.map(async (call) => settleCalls(turn.id, [await executeCall(context, call, signal)])));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
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
