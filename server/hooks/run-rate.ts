import { processWide } from "@/server/platform/process-wide";

const minuteMs = 60_000;

/** When each hook began its runs of the last minute, in milliseconds since 1970. */
const begun = () => processWide("hooks.begun", () => new Map<string, number[]>());

/** Counts a run of a hook on this replica. @returns false when it has had its runs of this minute */
export function takeRun({ id, ratePerMinute }: { id: string; ratePerMinute: number }, now = Date.now()): boolean {
  const runs = begun().get(id) ?? [];
  let old = 0;
  while (old < runs.length && now - (runs[old] ?? 0) >= minuteMs) old += 1;
  if (old > 0) runs.splice(0, old);
  begun().set(id, runs);
  if (runs.length >= ratePerMinute) return false;
  runs.push(now);
  return true;
}

/** A hook was removed. */
export function forgetRuns(hookId: string): void {
  begun().delete(hookId);
}
