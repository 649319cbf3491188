import { z } from "zod";
import type { Plan } from "@/contracts/conversations/work-lists";

export const planKey = "plan";
export const maxPlanSteps = 20;
const maxStepChars = 500;

/** A plan as it is stored. How far it is follows from the conversation's calls. */
export const KeptPlan = z.object({
  task: z.string(),
  thought: z.string(),
  steps: z.array(z.string()).max(maxPlanSteps),
  /** Id of the call that made the plan. */
  madeBy: z.uuid(),
});
export type KeptPlan = z.infer<typeof KeptPlan>;

/** A plan as a model writes it: steps are texts, or objects with a text. */
const Reply = z.object({
  thought: z.string().default(""),
  steps: z.array(z.union([z.string(), z.looseObject({ step: z.string() })])),
});

/** Reads a model's plan: blank steps are dropped, and those beyond the limit. Null when the reply is no plan. */
export function readPlan(reply: unknown, maxSteps: number): Pick<KeptPlan, "thought" | "steps"> | null {
  const parsed = Reply.safeParse(reply);
  if (!parsed.success) return null;
  const steps = parsed.data.steps
    .map((step) => (typeof step === "string" ? step : step.step).trim().slice(0, maxStepChars))
    .filter((step) => step !== "")
    .slice(0, maxSteps);
  return steps.length === 0 ? null : { thought: parsed.data.thought.trim(), steps };
}

/** Returns the plan after so many successful calls: those steps are completed, and the next one is in progress. */
export function planAfter({ task, thought, steps }: KeptPlan, calls: number): Plan {
  const statusOf = (index: number) => (index < calls ? "completed" : index === calls ? "in_progress" : "pending");
  return { task, thought, steps: steps.map((step, index) => ({ step, status: statusOf(index) })) };
}

/** The open steps, for the prompt after a context was compressed; empty without open steps. */
export function planReminder({ task, steps }: Plan): string {
  if (!steps.some(({ status }) => status === "in_progress")) return "";
  const marks = { completed: "[x]", in_progress: "[>]", pending: "[ ]" };
  return [`[Your plan for this task was preserved: ${task}]`, ...steps.map(({ step, status }) => `- ${marks[status]} ${step}`)].join("\n");
}
