import type { RunModel } from "@/contracts/runs/runs";
import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";
import type { CountedUsage } from "./estimate-usage";

/** Why a replica stops work on a run: somebody cancelled it, its time is up, the server stops, or the run belongs to others or is gone. */
export type StopReason = "cancelled" | "time" | "shutdown" | "lost";

/** The part of the model's reply that has come so far; kept in memory only. */
export type Partial = {
  position: number;
  attempt: number;
  text: string;
  reasoning: string;
  /** Calls as far as they are written; `arguments` may be the beginning of JSON. */
  calls: { id: string; name: string; arguments: string }[];
};

/** A run that this replica works on. */
export type RunTask = {
  runId: string;
  startedAt: number;
  /** Aborts with a StopReason. */
  stop: AbortController;
  partial: Partial | null;
  /** Usage of replies that are stored nowhere, because they were empty or broke off; the run's next write adds it to its sums. */
  unstored: { model: RunModel; usage: CountedUsage }[];
  /** Resolves when this replica has left the run. */
  left: Promise<void>;
};

/** The runs that this replica works on, by id. */
export const activeRuns = () =>
  processWide("activeRuns", () => {
    const tasks = new Map<string, RunTask>();
    onSignal("run", ({ runId, cancel }) => {
      if (cancel) tasks.get(runId)?.stop.abort("cancelled" satisfies StopReason);
    });
    return tasks;
  });

export function findRunTask(runId: string): RunTask | undefined {
  return activeRuns().get(runId);
}

/** Stops work on all runs of this replica and hands them to others, because the server stops. */
export async function handOverRuns(): Promise<void> {
  const tasks = [...activeRuns().values()];
  for (const { stop } of tasks) stop.abort("shutdown" satisfies StopReason);
  await Promise.all(tasks.map(({ left }) => left));
}

/** Waits until this replica works on no run. */
export async function waitForActiveRuns(): Promise<void> {
  while (activeRuns().size > 0) await Promise.all([...activeRuns().values()].map(({ left }) => left));
}
