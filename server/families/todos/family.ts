import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { addDueTodo, findLostTodos, recurringQueue } from "./recurring-todos";
import { todos } from "./todos-capability";
import { todoUpdate } from "./tools/todo-update";

export const todosFamily = defineFamily({
  name: "todos",
  tools: [todoUpdate],
  capabilities: [todos],
  queues: [handled(recurringQueue, addDueTodo)],
  findLostWork: [findLostTodos],
});
