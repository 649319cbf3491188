import "server-only";
import type { FailureStreaks } from "@/db/schema";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { loopLimits, sentences } from "../outcome";
import type { ReadyCall } from "../step-data";

/** Time without a failure after which a streak is forgotten, because its reason may be gone. */
const forgottenAfterMs = 10 * 60_000;

export type Attempt = Pick<ReadyCall, "registered" | "arguments">;

/** Returns the refusal of a call that failed too often in a row with these arguments; null when the call may run. */
export function whyStopped(failures: FailureStreaks | null, attempt: Attempt, now: number = sharedNowMs()): string | null {
  if (!failures) return null;
  const times = timesOf(failures.calls, keyOf(attempt), now);
  return times >= loopLimits.call.stop ? sentences.stoppedCall(attempt.registered.name, times) : null;
}

/** Returns the warnings for a model that repeats failing calls. */
export function listLoopWarnings(failures: FailureStreaks, attempt: Attempt): string[] {
  const ofCall = failures.calls[keyOf(attempt)]?.times ?? 0;
  const ofTool = failures.tools[attempt.registered.name]?.times ?? 0;
  return [
    ...(ofCall >= loopLimits.call.warn ? [sentences.failingCall(ofCall)] : []),
    ...(ofTool >= loopLimits.tool.warn && ofTool > ofCall ? [sentences.failingTool(attempt.registered.name, ofTool)] : []),
  ];
}

/** Adds a failure to the streaks of a call and of its tool. */
export function withFailure(failures: FailureStreaks | null, attempt: Attempt, now: number): FailureStreaks {
  const raise = (streaks: FailureStreaks["calls"], key: string) => ({
    ...Object.fromEntries(Object.entries(streaks).filter(([, { at }]) => now - at < forgottenAfterMs)),
    [key]: { times: timesOf(streaks, key, now) + 1, at: now },
  });
  return { calls: raise(failures?.calls ?? {}, keyOf(attempt)), tools: raise(failures?.tools ?? {}, attempt.registered.name) };
}

/** Removes the streaks of a tool and of all its calls after a success, because the tool works again; null when no streak is left. */
export function withoutFailure(failures: FailureStreaks | null, { registered: { name } }: Attempt): FailureStreaks | null {
  if (!failures) return null;
  const without = (streaks: FailureStreaks["calls"], isOver: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(streaks).filter(([key]) => !isOver(key)));
  const left = {
    calls: without(failures.calls, (key) => key.startsWith(`${name} `)),
    tools: without(failures.tools, (key) => key === name),
  };
  return Object.keys(left.calls).length + Object.keys(left.tools).length > 0 ? left : null;
}

function timesOf(streaks: FailureStreaks["calls"], key: string, now: number): number {
  const streak = Object.hasOwn(streaks, key) ? streaks[key] : undefined;
  return streak && now - streak.at < forgottenAfterMs ? streak.times : 0;
}

function keyOf({ registered, arguments: args }: Attempt): string {
  return `${registered.name} ${sha256(canonicalJson(args))}`;
}
