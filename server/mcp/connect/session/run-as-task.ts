import { setTimeout as wait } from "node:timers/promises";
import { type CallToolResult, type Client, isSpecType, type RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { AppError } from "@/server/platform/errors";

/** Milliseconds for which the server keeps the task. The call's own time limit is shorter. */
const keptMilliseconds = 3_600_000;
const requestMilliseconds = 30_000;
const pollMilliseconds = { least: 100, default: 1_000, most: 10_000 };

const Task = z.looseObject({
  taskId: z.string().min(1).max(1_000),
  status: z.string(),
  statusMessage: z.string().optional().catch(undefined),
  pollInterval: z.number().optional().catch(undefined),
});
const Answer = z.looseObject({ task: Task.optional() });
const Anything = z.looseObject({});

/** Tasks in these states go on by themselves. */
const openStates = new Set(["working", "submitted"]);

/** `onTask` receives the id of the task, which its server's questions name. */
export type TaskListener = { onStatus: (message: string) => void; onTask: (taskId: string) => void };

/** Runs a call as a task of protocol 2025-11-25: starts it, polls it, and fetches its result. A stopped call cancels its task. */
export async function runAsTask(
  client: Client,
  params: { name: string; arguments: JsonObject },
  { onStatus, onTask, ...options }: RequestOptions & TaskListener & { signal: AbortSignal },
): Promise<CallToolResult> {
  const { signal } = options;
  const started = await client.request({ method: "tools/call", params: { ...params, task: { ttl: keptMilliseconds } } }, Answer, options);
  // A server may answer at once, without a task.
  if (!started.task) return asResult(started);
  const { taskId } = started.task;
  onTask(taskId);
  const request = (method: string, timeout = requestMilliseconds) =>
    client.request({ method, params: { taskId } }, Anything, { signal, timeout });
  try {
    let task = started.task;
    while (openStates.has(task.status)) {
      if (task.statusMessage) onStatus(task.statusMessage);
      const { least, most } = pollMilliseconds;
      await wait(Math.min(most, Math.max(least, task.pollInterval ?? pollMilliseconds.default)), undefined, { signal });
      task = Task.parse(await request("tasks/get"));
    }
    if (task.status === "cancelled") throw new AppError("unavailable", "The server cancelled the task of this call.");
    // A task in `input_required` has a question, which its server may send only while somebody waits for the result.
    return asResult(await request("tasks/result", task.status === "input_required" ? options.timeout : requestMilliseconds));
  } catch (error) {
    if (signal.aborted) {
      const cancelling = { method: "tasks/cancel", params: { taskId } };
      void client.request(cancelling, Anything, { timeout: requestMilliseconds }).catch(() => {});
    }
    throw error;
  }
}

function asResult(answer: unknown): CallToolResult {
  if (isSpecType.CallToolResult(answer)) return { ...answer, content: answer.content ?? [] } as CallToolResult;
  throw new AppError("unavailable", "The server's answer to a task is not the result of a tool.");
}
