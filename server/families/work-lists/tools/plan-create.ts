import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { agentModel } from "@/server/models/agent-model";
import { needsModel, noModelSentence } from "@/server/models/ask-agent";
import { readJson } from "@/server/models/read-json";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { notes } from "../notes";
import { type KeptPlan, maxPlanSteps, planAfter, planKey, readPlan } from "../plan";

const missingTask = "missing required param: task";

export const planCreate = defineTool({
  name: "plan_create",
  title: "Make a plan",
  description:
    "Splits a task into steps with the agent's model, and keeps the plan for this conversation. The first step is in progress; each later successful call of another tool completes the current step. A new plan replaces the old one.",
  family: "work-lists",
  tier: "extension",
  // It changes nothing but what this conversation's model keeps for itself.
  effect: "read",
  approval: { effects: () => [actsInside("has a model make a plan")] },
  running: { concurrencySafe: false },
  disclosure: { workspaceAvailability: needsModel("plan_create") },
  needs: [notes, agentModel],
  names: {
    aliases: ["create_plan", "make_plan"],
    parameterAliases: { max_steps: "maxSteps", steps: "maxSteps", goal: "task" },
  },
  primaryArgument: "task",
  timeoutMs: 120_000,
  input: z.object({
    task: z
      .string({ error: (issue) => (issue.input === undefined ? missingTask : undefined) })
      .trim()
      .min(1, missingTask)
      .max(8_000)
      .describe("The task to plan"),
    maxSteps: z.int().min(1).max(maxPlanSteps).default(6).describe("Most steps of the plan"),
    style: z.string().trim().max(200).optional().describe("How to write the steps, such as terse or detailed"),
    model: z.string().trim().max(200).optional().describe("Name of a model in place of the agent's own"),
  }),
  async execute({ task, maxSteps, style, model }, { notes, model: agentModel, signal }) {
    const missing = await agentModel.missing();
    if (missing) throw new AppError("unavailable", noModelSentence("plan_create", missing));
    const instructions = [
      `Plan the user's task in at most ${maxSteps} steps that can each be done with one or a few tool calls.`,
      style ? `Style of the steps: ${style}.` : "",
      'Answer with JSON only: {"thought": "one sentence about the approach", "steps": ["first step", "second step"]}',
    ];
    const reply = await agentModel.ask({ instructions: instructions.join("\n"), message: task, model, signal });
    const plan = readPlan(readJson(reply), maxSteps);
    if (!plan)
      throw new AppError(
        "unavailable",
        "invalid plan_create response: the model wrote no plan. Call plan_create again, or go on without one.",
      );
    const kept: KeptPlan = { task, ...plan, madeBy: notes.callId };
    await notes.change("plan", () => new Map([[planKey, kept]]));
    const { thought, steps } = planAfter(kept, 0);
    return { plan: { thought, steps } };
  },
});
