import type { Run } from "@/contracts/runs/runs";
import { type RichResult, toolResult } from "@/server/tools/define-tool";

/** Characters of a child's answer that its parent reads; the whole answer is an artifact. */
export const answerChars = 4_000;

/** How a task ended, as the counts of a batch name it. */
export type TaskEnd = "success" | "blank_success" | "timeout" | "cancelled" | "error";

/** Returns how a run that has ended counts. A partial answer at a limit of steps or tokens is an answer. */
export function taskEnd({ status, limit, answer }: Pick<Run, "status" | "limit" | "answer">): TaskEnd {
  if (status === "limited" && limit === "time") return "timeout";
  if (status === "succeeded" || status === "limited") return answer?.trim() ? "success" : "blank_success";
  return status === "cancelled" ? "cancelled" : "error";
}

/** Returns the text of a run that has ended, for the agent that handed the task on. */
export function answerText(run: Pick<Run, "status" | "limit" | "answer" | "error" | "agent" | "limits">): string {
  const partial = run.answer?.trim() ? `\n\nIts answer so far:\n${run.answer}` : "";
  switch (taskEnd(run)) {
    case "success":
      return run.answer ?? "";
    case "blank_success":
      return `${run.agent} ended without an answer.`;
    case "timeout":
      return `${run.agent} did not finish within ${run.limits.seconds} seconds. Give it a smaller task.${partial}`;
    case "cancelled":
      return `The task of ${run.agent} was cancelled. Do not send it again unless the user asks for it.${partial}`;
    case "error":
      return `${run.agent} could not do the task: ${run.error ?? "no reason is known."}${partial}`;
  }
}

/** Returns the result of a call that waited for a child. */
export function childResult(run: Run): RichResult {
  const end = taskEnd(run);
  return toolResult({ text: answerText(run), isError: end !== "success" && end !== "blank_success", isTimedOut: end === "timeout" });
}
