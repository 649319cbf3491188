import { defineFamily } from "../define-family";
import { workListAnswers } from "./endpoints";
import { notes } from "./notes";
import { workListContext } from "./read-work-list";
import { addGoalCriterion, completeGoal, getGoalStatus, setGoal } from "./tools/goal-tools";
import { planCreate } from "./tools/plan-create";
import { progressUpdate } from "./tools/progress-update";
import { scratchpad } from "./tools/scratchpad";
import { todo } from "./tools/todo";

/** Notes of a model about its work, kept between turns: task list, plan, progress, goal, scratchpad. */
export const workListsFamily = defineFamily({
  name: "work-lists",
  endpoints: workListAnswers,
  tools: [scratchpad, todo, planCreate, progressUpdate, setGoal, addGoalCriterion, completeGoal, getGoalStatus],
  capabilities: [notes],
  contextNote: workListContext,
});
