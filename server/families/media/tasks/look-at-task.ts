import "server-only";
import type { MediaKind } from "@/contracts/models/media";
import { mediaProviders } from "../providers";
import { kindWords } from "../settings/media-chain";
import { lookAt, type Made, type MediaScope, type Watch } from "./make-media";
import { findTask, isAwaited, listTasks, type MediaTaskRow } from "./media-tasks";

/** Lines for the model, or the result of a task that was finished meanwhile. */
export type Seen = { text: string } | { made: Made };

/** Tells how far a task is. A task whose call ended too early is asked for at the provider, so that nothing paid is lost. */
export async function lookAtTask(
  scope: MediaScope,
  { kind, taskId }: { kind: MediaKind; taskId: string | null },
  watch: Watch,
): Promise<Seen> {
  if (taskId === null) {
    const tasks = await listTasks(scope, kind);
    if (tasks.length === 0) return { text: `This conversation has made no ${kindWords[kind].many} yet.` };
    return { text: tasks.map(lineOf).join("\n") };
  }
  const task = await findTask(scope, kind, taskId);
  if (task.status !== "running" || (await isAwaited(task))) return { text: lineOf(task) };
  const made = await lookAt(task, scope, watch);
  return made ? { made } : { text: `${lineOf(task)}. ${mediaProviders[task.provider].title} still works on it; ask again in a minute.` };
}

const words: Readonly<Record<MediaTaskRow["status"], string>> = {
  submitting: "being sent",
  running: "running",
  succeeded: "succeeded; its files are artifacts of the call that made it",
  failed: "failed",
};

function lineOf({ id, status, provider, model, error, createdAt }: MediaTaskRow): string {
  const why = status === "failed" && error ? `: ${error}` : "";
  return `${id} ${mediaProviders[provider].title} (${model}), begun ${createdAt.toISOString().slice(0, 19)}Z: ${words[status]}${why}`;
}
