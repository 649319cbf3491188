import "server-only";
import type { WorkList } from "@/contracts/conversations/work-lists";
import type { Authorized } from "@/server/auth/actor";
import { findConversation } from "@/server/conversations/find-conversation";
import { countCallsAfter } from "./count-calls";
import { goalKey, goalReminder, readGoal } from "./goal";
import { notesOf } from "./notes";
import { KeptPlan, planAfter, planKey, planReminder } from "./plan";
import { listProgress } from "./progress";
import { TodoList, todoKey, todoReminder } from "./todo-list";

/** Returns what the model of a conversation keeps about its work. @throws AppError `not_found` */
export async function getWorkList(actor: Authorized<"turns:read">, conversationId: string): Promise<WorkList> {
  await findConversation(actor, conversationId);
  return readWorkList(conversationId);
}

/** Returns the open work of a conversation as text, for a model whose history was shortened. */
export async function workListContext(conversationId: string): Promise<string> {
  const { plan, todos, goal } = await readWorkList(conversationId);
  return [goalReminder(goal), plan ? planReminder(plan) : "", todoReminder(todos)].filter((text) => text !== "").join("\n\n");
}

async function readWorkList(conversationId: string): Promise<WorkList> {
  const notes = notesOf(conversationId);
  const [plans, todos, progress, goals] = await Promise.all([
    notes.read("plan"),
    notes.read("todo"),
    notes.read("progress"),
    notes.read("goal"),
  ]);
  const plan = KeptPlan.safeParse(plans.get(planKey));
  const list = TodoList.safeParse(todos.get(todoKey) ?? []);
  return {
    plan: plan.success ? planAfter(plan.data, await countCallsAfter(conversationId, plan.data.madeBy)) : null,
    todos: list.success ? list.data : [],
    progress: listProgress(progress),
    goal: readGoal(goals.get(goalKey)),
  };
}
