import { z } from "zod";
import type { Run } from "@/contracts/runs/runs";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { answerChars, childResult } from "../child-result";
import { delegation } from "../delegation-capability";
import { childTimeoutMs, plainWait, progressOf } from "./delegate";

export const sendToSubagent = defineTool({
  name: "send_to_subagent",
  title: "Send a further message to an agent",
  description:
    "Sends a further message to an agent that has worked on a task of this conversation; it remembers that task. Waits for the answer, or returns a task_id when wait is false.",
  family: "delegation",
  tier: "extension",
  effect: "write",
  approval: {
    effects: () => [actsInside("sends a message to another agent")],
  },
  needs: [delegation],
  names: {
    aliases: ["sendToSubagent"],
    parameterAliases: { task_id: "taskId", conversation_id: "conversationId", child_conversation_id: "conversationId", prompt: "message" },
  },
  primaryArgument: "message",
  recovery: { idempotent: true },
  running: { concurrencySafe: true },
  timeoutMs: childTimeoutMs,
  result: { resultChars: answerChars },
  input: z
    .object({
      taskId: z.string().trim().max(100).optional().describe("The task_id of an earlier task"),
      conversationId: z.string().trim().max(100).optional().describe("Or its child_conversation_id"),
      message: z.string().trim().min(1, "Write the message.").max(100_000).describe("The message"),
      wait: z.boolean().default(true).describe("Wait for the answer"),
    })
    .refine(({ taskId, conversationId }) => Boolean(taskId) !== Boolean(conversationId), {
      path: ["taskId"],
      message: "send a taskId or a conversationId, one of both",
    }),
  async execute({ taskId, conversationId, message, wait }, { delegation, signal, progress, waitElsewhere = plainWait }) {
    const task = await delegation.findTask(taskId || conversationId || "");
    const child = await delegation.send(task, message, { isAwaited: wait });
    if (!wait)
      return { task_id: child.runId, child_conversation_id: child.conversationId, status: "running", hint: "task_output has the answer." };
    const onChange = (run: Run) => progress(progressOf(run));
    return childResult(await waitElsewhere(() => delegation.awaitEnd(child.runId, { signal, onChange })));
  },
});
