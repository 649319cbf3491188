import "server-only";
import { onSignal } from "@/server/platform/signals/bus";
import type { DurableWait } from "@/server/turns/waits/durable-wait";
import { isEnded } from "../run-row";
import { readRun } from "./load-run";

/**
 * Waits of calls for the end of a run. The result is JSON: `{ status, answer, error }`. A tool that starts runs gives each an
 * Idempotency-Key made of its call, so that the tool finds the same run when it runs again.
 */
export const runWait: DurableWait = {
  kind: "run",
  look: async (runId) => {
    const run = await readRun(runId);
    return isEnded(run) ? JSON.stringify({ status: run.status, answer: run.answer, error: run.error }) : null;
  },
  onNews: (runId, wake) =>
    onSignal("run", (signal) => {
      if (signal.runId === runId && !signal.delta) wake();
    }),
};
