import { processWide } from "@/server/platform/process-wide";
import { SlidingWindow } from "@/server/platform/sliding-window";

/** Runs of the last minute by hook. */
const runs = () => processWide("hooks.runRate", () => new SlidingWindow({ windowMs: 60_000, maxKeys: 10_000 }));

/** Counts a run of a hook on this replica. @returns false when the hook is over its rate */
export function takeRun({ id, ratePerMinute }: { id: string; ratePerMinute: number }, now = Date.now()): boolean {
  if (runs().waitMs(id, ratePerMinute, now) > 0) return false;
  runs().add(id, now);
  return true;
}

/** Drops the count of a removed hook. */
export function forgetRuns(hookId: string): void {
  runs().forget(hookId);
}
