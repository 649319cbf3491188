import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { Run } from "@/contracts/runs/runs";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { defineTool } from "@/server/tools/define-tool";
import { whyNobodyMayBeAsked } from "../askable-agents";
import { answerChars, answerText, taskEnd } from "../child-result";
import { delegation } from "../delegation-capability";
import { plainWait, progressOf } from "./delegate";

const maxSeconds = 120;

export const taskOutput = defineTool({
  name: "task_output",
  title: "Answer of a handed task",
  description:
    "Returns the progress or the answer of a task that delegate_async or send_to_subagent started. With block it waits until the task ends or the time is up.",
  family: "delegation",
  tier: "core",
  effect: "read",
  approval: noEffects,
  needs: [delegation],
  names: {
    aliases: ["taskOutput"],
    parameterAliases: { task_id: "taskId", timeout_seconds: "timeoutSeconds", timeout: "timeoutSeconds" },
  },
  primaryArgument: "taskId",
  running: { mayRepeat: true },
  timeoutMs: (maxSeconds + 10) * 1_000,
  disclosure: { workspaceAvailability: whyNobodyMayBeAsked },
  input: z.object({
    taskId: z.string().trim().min(1).max(100).describe("The task_id"),
    block: z.boolean().default(true).describe("Wait for the end of the task"),
    timeoutSeconds: z.number().min(0).max(maxSeconds).default(30).describe("Longest wait, up to 120 seconds"),
  }),
  async execute({ taskId, block, timeoutSeconds }, { delegation, signal, waitElsewhere = plainWait }) {
    const deadline = performance.now() + timeoutSeconds * 1_000;
    let run = await delegation.task(taskId, { seconds: 0, signal });
    while (block && run.finishedAt === null && performance.now() < deadline && !signal.aborted) {
      const seconds = (deadline - performance.now()) / 1_000;
      run = await waitElsewhere(() => delegation.task(taskId, { seconds, signal }));
    }
    return presentTask(run);
  },
});

/** Presents a task to the agent that handed it on. */
function presentTask(run: Run): JsonObject {
  const { id, status, createdAt, finishedAt } = run;
  const duration = Date.parse(finishedAt ?? sharedNow().toISOString()) - Date.parse(createdAt);
  const base = { task_id: id, duration_ms: Math.max(0, duration), error: null };
  if (finishedAt === null) return { status: status === "waiting" ? "waiting_for_approval" : "running", ...base, progress: progressOf(run) };
  const end = taskEnd(run);
  const text = answerText(run);
  const isDone = end === "success" || end === "blank_success";
  const result = text.length > answerChars ? `${text.slice(0, answerChars).toWellFormed()}\n[cut at ${answerChars} characters]` : text;
  const word = isDone ? "completed" : end === "error" ? "failed" : end;
  return {
    status: word,
    ...base,
    result: isDone ? result : (run.answer ?? "").slice(0, answerChars).toWellFormed(),
    error: isDone ? null : text,
  };
}
