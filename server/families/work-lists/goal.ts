import { z } from "zod";
import { goalStatuses } from "@/contracts/conversations/work-lists";

export const goalKey = "goal";
export const maxCriteria = 20;

/** The goal of a conversation as it is stored. */
export const Goal = z.object({
  goal: z.string(),
  criteria: z.array(z.object({ criterion: z.string(), met: z.boolean() })).max(maxCriteria),
  status: z.enum(goalStatuses),
  summary: z.string(),
});
export type Goal = z.infer<typeof Goal>;

export function readGoal(stored: unknown): Goal | null {
  const parsed = Goal.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

/** The goal with its open criteria, for the prompt after a context was compressed; empty without an active goal. */
export function goalReminder(goal: Goal | null): string {
  if (goal?.status !== "active") return "";
  const lines = goal.criteria.map(({ criterion, met }, index) => `- ${met ? "[x]" : "[ ]"} ${index + 1}. ${criterion}`);
  return [`[Your goal was preserved: ${goal.goal}]`, ...lines].join("\n");
}
