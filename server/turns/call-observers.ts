import type { CallStatus } from "@/contracts/calls/call-statuses";
import { processWide } from "@/server/platform/process-wide";

/** A call that reached its final status on this replica. */
export type SettledCall = { workspaceId: string; status: CallStatus; durationMs: number };

const observers = () => processWide("callObservers", () => new Set<(call: SettledCall) => void>());

/** Calls `observer` with every call that settles on this replica. @returns how to stop it */
export function observeCalls(observer: (call: SettledCall) => void): () => void {
  observers().add(observer);
  return () => void observers().delete(observer);
}

/** Tells the observers. An observer must not throw and must not wait. */
export function tellObservers(call: SettledCall): void {
  for (const observer of observers()) observer(call);
}
