import { z } from "zod";
import { Id } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const planStepStatuses = ["pending", "in_progress", "completed"] as const;
export const todoStatuses = ["pending", "in_progress", "completed", "cancelled"] as const;
export const progressStatuses = ["pending", "in_progress", "completed", "failed", "skipped"] as const;
export const goalStatuses = ["active", "completed"] as const;

export const Plan = z
  .object({
    task: z.string(),
    thought: z.string(),
    steps: z.array(z.object({ step: z.string(), status: z.enum(planStepStatuses) })).describe("One unfinished step is in progress."),
  })
  .meta({ id: "Plan" });
export type Plan = z.infer<typeof Plan>;

export const WorkList = z
  .object({
    plan: Plan.nullable().describe("Made by `plan_create`; a step completes with each later successful call."),
    todos: z.array(z.object({ id: z.string(), content: z.string(), status: z.enum(todoStatuses) })).describe("The task list of `todo`."),
    progress: z
      .array(z.object({ key: z.string(), label: z.string(), status: z.enum(progressStatuses), note: z.string() }))
      .describe("What the model reported with `progress_update`, in the order of the first reports."),
    goal: z
      .object({
        goal: z.string(),
        criteria: z.array(z.object({ criterion: z.string(), met: z.boolean() })),
        status: z.enum(goalStatuses),
        summary: z.string(),
      })
      .nullable(),
  })
  .meta({ id: "WorkList" });
export type WorkList = z.infer<typeof WorkList>;

export const workListEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/conversations/{id}/work-list",
    summary: "Plan, task list, progress and goal that the model of a conversation keeps",
    permission: "turns:read",
    params: z.object({ id: Id }),
    response: WorkList,
  }),
};

export const workListContract = defineContract({
  reference: { name: "Work lists", description: "What the model of a conversation has planned, and how far it is." },
  glossary: {
    goal: "A sentence that a conversation's model works toward, with criteria that say when it is reached.",
    plan: "Steps of a task that a model wrote with `plan_create`; each later successful call completes the current step.",
    scratchpad: "Short texts by key that the model of one conversation keeps between turns.",
    "task list": "The items of work that the model of one conversation keeps with `todo`.",
    "work list": "Plan, task list, progress and goal that the model of a conversation keeps.",
  },
  endpoints: workListEndpoints,
});
