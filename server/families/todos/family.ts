import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { todoAnswers } from "./endpoints";
import { addDueTodo, findLostTodos, recurringQueue } from "./recurring-todos";
import { todos } from "./todos-capability";
import { todoUpdate } from "./tools/todo-update";

export const todosFamily = defineFamily({
  name: "todos",
  endpoints: todoAnswers,
  tools: [todoUpdate],
  capabilities: [todos],
  queues: [handled(recurringQueue, addDueTodo)],
  findLostWork: [findLostTodos],
});
