import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { type Goal, goalKey, maxCriteria, readGoal } from "../goal";
import { type NotesCapability, notes } from "../notes";

const common = {
  family: "work-lists",
  tier: "extension",
  // It changes nothing but what this conversation's model keeps for itself.
  effect: "read",
  approval: {
    effects: () => [actsInside("keeps the goal of the conversation")],
  },
  running: { concurrencySafe: false },
  needs: [notes],
} as const;
const criterionText = z.string().trim().min(1).max(500).describe("A condition that can be checked");

export const setGoal = defineTool({
  ...common,
  name: "set_goal",
  title: "Set the goal",
  description: "Sets the goal of this conversation, with criteria that say when it is reached. It replaces an earlier goal.",
  names: {
    aliases: ["setGoal"],
    parameterAliases: { description: "goal", objective: "goal", title: "goal" },
  },
  primaryArgument: "goal",
  input: z.object({
    goal: z.string().trim().min(1).max(2_000).describe("What must be reached, in one sentence"),
    criteria: z.array(criterionText).max(maxCriteria).default([]).describe("Conditions that say when it is reached"),
  }),
  async execute({ goal, criteria }, { notes }) {
    const kept: Goal = { goal, criteria: criteria.map((criterion) => ({ criterion, met: false })), status: "active", summary: "" };
    await notes.change("goal", () => new Map([[goalKey, kept]]));
    return kept;
  },
});

export const addGoalCriterion = defineTool({
  ...common,
  name: "add_goal_criterion",
  title: "Add a criterion to the goal",
  description: `Adds a criterion to the goal of this conversation, ${maxCriteria} at most. A completed goal is active again.`,
  names: {
    aliases: ["addGoalCriterion"],
    parameterAliases: { criteria: "criterion", text: "criterion" },
  },
  primaryArgument: "criterion",
  input: z.object({ criterion: criterionText }),
  execute: ({ criterion }, { notes }) =>
    changeGoal(notes, (goal) => {
      if (goal.criteria.length >= maxCriteria) {
        throw new AppError("conflict", `The goal has ${maxCriteria} criteria already. Set the goal anew with fewer of them.`);
      }
      return { ...goal, status: "active", criteria: [...goal.criteria, { criterion, met: false }] };
    }),
});

export const completeGoal = defineTool({
  ...common,
  name: "complete_goal",
  title: "Complete the goal",
  description:
    "With criterion (its number), marks that criterion as met. Without it, completes the goal; criteria that are not met refuse it.",
  names: {
    aliases: ["completeGoal"],
    parameterAliases: { index: "criterion", result: "summary", note: "summary" },
  },
  input: z.object({
    criterion: z
      .int()
      .min(1)
      .max(maxCriteria)
      .optional()
      .describe("Number of the criterion, from 1")
      .describe("One condition that can be checked"),
    summary: z.string().trim().max(2_000).optional().describe("How the goal was reached"),
  }),
  execute: ({ criterion, summary }, { notes }) =>
    changeGoal(notes, (goal) => (criterion === undefined ? completed(goal, summary) : withMet(goal, criterion))),
});

export const getGoalStatus = defineTool({
  ...common,
  name: "get_goal_status",
  title: "Status of the goal",
  description: "Returns the goal of this conversation with its criteria.",
  names: { aliases: ["getGoalStatus", "goal_status"] },
  input: z.object({}),
  async execute(_none, { notes }) {
    return readGoal((await notes.read("goal")).get(goalKey)) ?? { goal: null, status: "none", hint: "set_goal sets one." };
  },
});

function completed(goal: Goal, summary = ""): Goal {
  const open = goal.criteria.flatMap(({ criterion, met }, index) => (met ? [] : [`${index + 1}. ${criterion}`]));
  if (open.length === 0) return { ...goal, status: "completed", summary };
  throw new AppError(
    "conflict",
    `The goal is not reached, because criteria are open: ${open.join("; ")}. Meet each one, and mark it with criterion.`,
  );
}

function withMet(goal: Goal, number: number): Goal {
  if (number > goal.criteria.length) {
    throw new AppError("not_found", `The goal has no criterion ${number}. get_goal_status shows them with their numbers.`);
  }
  return { ...goal, criteria: goal.criteria.map((one, index) => (index === number - 1 ? { ...one, met: true } : one)) };
}

async function changeGoal(notes: NotesCapability, change: (goal: Goal) => Goal): Promise<Goal> {
  let after: Goal | null = null;
  await notes.change("goal", (before) => {
    const goal = readGoal(before.get(goalKey));
    if (!goal) throw new AppError("not_found", "This conversation has no goal. Call set_goal first.");
    after = change(goal);
    return new Map([[goalKey, after]]);
  });
  if (!after) throw new Error("A goal was not changed");
  return after;
}
