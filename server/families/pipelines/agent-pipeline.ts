import "server-only";
import type { Run } from "@/contracts/runs/runs";
import { cancelChildRun } from "@/server/runs/await-child-run";
import { readRun } from "@/server/runs/read/load-run";
import { isEnded } from "@/server/runs/run-row";
import { type ChildTask, startChildRun } from "@/server/runs/starts/start-child-run";
import type { Pipeline, TaskState } from "./pipeline";

type Settings = Pick<ChildTask, "workspaceId" | "parent" | "requestedBy" | "agentId"> & { timeoutMs: number };

/**
 * Returns a pipeline whose tasks an agent of the workspace carries out. It has no gates of its own: calls of the agent go
 * through the guard, and people decide them in the inbox.
 */
export function agentPipeline({ timeoutMs, ...task }: Settings): Pipeline {
  return {
    timeoutMs,
    submit: async (message) => (await startChildRun({ ...task, message, isAwaited: true })).runId,
    gatesOf: async () => [],
    answer: async () => {},
    stateOf: async (runId) => toTaskState(await readRun(runId)),
    cancel: cancelChildRun,
  };
}

function toTaskState(run: Run): TaskState {
  if (!isEnded(run)) return { state: "running" };
  if (run.status === "succeeded") return { state: "done", answer: run.answer ?? "" };
  if (run.status === "cancelled") return { state: "cancelled" };
  const partial = run.answer?.trim() ? ` Its answer so far: ${run.answer}` : "";
  return { state: "failed", message: run.status === "limited" ? (run.answer ?? "") : `${run.error ?? "it gave no reason"}${partial}` };
}
