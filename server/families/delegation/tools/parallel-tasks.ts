import { z } from "zod";
import { fieldErrors } from "@/server/platform/field-errors";
import { AgentName, InheritParentContext, Task } from "./delegate";

export const maxTasks = 8;

const ParallelTask = z.strictObject({
  agentName: AgentName,
  task: Task,
  label: z.string().max(200).optional().describe("A short name of the task, repeated in the result"),
  inheritParentContext: InheritParentContext,
});
export type ParallelTask = z.output<typeof ParallelTask>;

export const ParallelTasks = z
  .array(ParallelTask)
  .min(1, "Send at least one task.")
  .max(maxTasks, `A batch has at most ${maxTasks} tasks. Send the others in a second batch.`);

type Parsed = { tasks: ParallelTask[] } | { problem: string };

/** Parses tasks that a model sent as a text of JSON. */
export function parseTasksJson(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'tasksJson is no valid JSON. Send a list such as [{"agentName":"…","task":"…"}].' };
  }
  const parsed = ParallelTasks.safeParse(value);
  if (parsed.success) return { tasks: parsed.data };
  return {
    problem: fieldErrors(parsed.error)
      .map(({ path, message }) => (path ? `${path}: ${message}` : message))
      .join("; "),
  };
}
