import { todoEndpoints } from "@/contracts/conversations/todos";
import { answer } from "@/server/endpoints/answer";
import { completeTodo, createTodo, listTodos, removeTodo } from "./manage-todos";
import { listRecurring, removeRecurring } from "./recurring-todos";

export const todoAnswers = answer(todoEndpoints, {
  list: ({ actor, query }) => listTodos(actor, query),
  create: ({ actor, body }) => createTodo(actor, body),
  complete: ({ actor, params }) => completeTodo(actor, params.id),
  remove: ({ actor, params }) => removeTodo(actor, params.id),
  listRecurring: ({ actor }) => listRecurring(actor),
  removeRecurring: ({ actor, params }) => removeRecurring(actor, params.id),
});
