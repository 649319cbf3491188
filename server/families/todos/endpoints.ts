import { todoEndpoints } from "@/contracts/todos";
import { answer } from "@/server/endpoints/answer";
import { createContact, listContacts, removeContact } from "./manage-contacts";
import { completeTodo, createTodo, listTodos, removeTodo } from "./manage-todos";
import { listRecurring, removeRecurring } from "./recurring-todos";

export const todoAnswers = answer(todoEndpoints, {
  list: ({ actor, query }) => listTodos(actor, query),
  create: ({ actor, body }) => createTodo(actor, body),
  complete: ({ actor, params }) => completeTodo(actor, params.id),
  remove: ({ actor, params }) => removeTodo(actor, params.id),
  listRecurring: ({ actor }) => listRecurring(actor),
  removeRecurring: ({ actor, params }) => removeRecurring(actor, params.id),
  listContacts: ({ actor }) => listContacts(actor),
  createContact: ({ actor, body }) => createContact(actor, body),
  removeContact: ({ actor, params }) => removeContact(actor, params.id),
});
