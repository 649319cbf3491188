import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/server/platform/errors";
import { defineTool, type Steps, toolResult } from "@/server/tools/define-tool";
import { delegate } from "../delegate";
import { findDelegate } from "../delegate-row";
import type { Pipeline } from "../pipeline";

/** The reason why the tool is not callable, for people and models. */
const notConnected =
  "the secure execution path is not connected in this workspace, so nothing can be done that moves funds or needs a signature. An admin connects it with PUT /api/v1/delegate";

const maxAnswerChars = 200_000;
const pollMs = 1_500;

export const coreExecute = defineTool({
  name: "core_execute",
  title: "Hand over to the secure pipeline",
  description:
    "Hands a task that moves money, needs a signature or must be done rigorously to the secure execution pipeline, which plans it, asks people for approval before anything is committed, and answers with the outcome. The only way to actions of tools that you are told not to call directly.",
  family: "pipelines",
  tier: "core",
  effect: "destroy",
  needs: [delegate],
  stateful: true,
  approval: { dangerous: true },
  running: { concurrencySafe: true },
  primaryArgument: "intent",
  disclosure: {
    bridge: {
      isConnected: async (tx, workspaceId) => (await findDelegate(tx, workspaceId))?.enabled === true,
      agentBehind: async (tx, workspaceId) => {
        const row = await findDelegate(tx, workspaceId);
        return row?.enabled ? row.agentId : null;
      },
      notConnected,
    },
  },
  // Longer than a pipeline's longest time limit, so that the pipeline's own error arrives first.
  timeoutMs: 1_860_000,
  input: z.object({
    intent: z
      .string()
      .trim()
      .min(1, "core_execute needs an 'intent' that is not empty: say exactly what to do")
      .max(20_000)
      .describe("The task in words, complete in itself: what to do, with which amounts, accounts and limits"),
  }),
  async *execute({ intent }, { delegate, signal }) {
    const pipeline = await delegate.connect();
    if (!pipeline) throw new AppError("unavailable", `${notConnected}.`);
    return yield* follow(pipeline, intent, signal);
  },
});

/** Submits a task and follows it to its end: asks a person about each gate of the pipeline, and sends the answer back. */
async function* follow(pipeline: Pipeline, intent: string, signal: AbortSignal): Steps {
  const deadline = Date.now() + pipeline.timeoutMs;
  const taskId = await pipeline.submit(intent, signal);
  const answered = new Set<string>();
  let isOver = false;
  try {
    yield { say: `The pipeline took the task as ${taskId}` };
    for (;;) {
      for (const gate of await pipeline.gatesOf(taskId, signal)) {
        if (answered.has(gate.id)) continue;
        const answer = yield {
          approve: { gate: gate.id, question: gate.question || "The pipeline asks for approval", options: gate.options },
          expiresAt: deadline,
        };
        const { approved, comment } = Answer.parse(JSON.parse(answer));
        answered.add(gate.id);
        await pipeline.answer(taskId, gate.id, { approved, ...(approved && comment ? { answer: comment } : {}) }, signal);
      }
      const state = await pipeline.stateOf(taskId, signal);
      isOver = state.state !== "running";
      switch (state.state) {
        case "done":
          return toolResult({ text: bounded(state.answer) || "Done. The secure pipeline completed and returned no text." });
        case "failed":
          return failed(`The secure pipeline failed: ${bounded(state.message)}`);
        case "unclear":
          return failed(`The task needs more detail before it can run: ${bounded(state.question)}`);
        case "cancelled":
          return failed("The task was cancelled in the pipeline.");
      }
      if (Date.now() >= deadline) {
        return failed(
          `The task did not finish within ${Math.round(pipeline.timeoutMs / 1_000)} seconds, and the pipeline was told to stop.`,
        );
      }
      await pause(Math.min(pollMs, Math.max(0, deadline - Date.now())), undefined, { signal });
    }
  } finally {
    // The call ended early: the pipeline must not commit anything that its caller no longer follows.
    if (!isOver) await pipeline.cancel(taskId).catch(() => {});
  }
}

/** A person's answer to a gate. */
const Answer = z.object({ approved: z.boolean(), comment: z.string().default("") });

const bounded = (text: string) => (text.length > maxAnswerChars ? `${text.slice(0, maxAnswerChars)} [cut]` : text);

const failed = (text: string) => toolResult({ text, isError: true });
