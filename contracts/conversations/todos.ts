import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const todoItemStatuses = ["open", "done"] as const;
export const repeatUnits = ["day", "hour"] as const;
export const maxTodoText = 2_000;

export const TodoItem = z
  .object({
    id: Id,
    status: z.enum(todoItemStatuses),
    content: z.string(),
    people: z.array(z.string()),
    chatId: z.string().nullable().describe("The chat in which it came up."),
    conversationId: Id.nullable().describe("The conversation whose agent added it."),
    recurringId: Id.nullable().describe("The recurring to-do that it comes from."),
    createdBy: ActorRef,
    doneBy: ActorRef.nullable(),
    createdAt: Timestamp,
    doneAt: Timestamp.nullable(),
  })
  .meta({ id: "TodoItem" });
export type TodoItem = z.infer<typeof TodoItem>;

export const RecurringTodo = z
  .object({
    id: Id,
    content: z.string(),
    people: z.array(z.string()),
    every: z.object({ count: z.number().int(), unit: z.enum(repeatUnits) }),
    timezone: z.string(),
    nextAt: Timestamp,
    createdBy: ActorRef,
    createdAt: Timestamp,
  })
  .meta({ id: "RecurringTodo" });
export type RecurringTodo = z.infer<typeof RecurringTodo>;

export const TodoDraft = z
  .strictObject({ content: z.string().trim().min(1, "needs a text").max(maxTodoText, "at most 2,000 characters") })
  .meta({ examples: [{ content: "Ask Mei about the invoice" }] });
export type TodoDraft = z.infer<typeof TodoDraft>;

export const TodoFilter = z.object({ status: z.enum(todoItemStatuses).optional() });
export type TodoFilter = z.infer<typeof TodoFilter>;

const params = z.object({ id: Id });
const write = { permission: "todos:write", params } as const;

export const todoEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/todos",
    summary: "To-dos of the workspace, newest first",
    permission: "turns:read",
    query: TodoFilter.extend(pageQuery),
    response: listOf(TodoItem),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/todos",
    summary: "Add a to-do",
    permission: "todos:write",
    body: TodoDraft,
    response: TodoItem,
    status: 201,
  }),
  complete: endpoint({
    ...write,
    method: "POST",
    path: "/api/v1/todos/{id}/complete",
    summary: "Complete a to-do; one that is done stays as it is",
    response: TodoItem,
  }),
  remove: endpoint({ ...write, method: "DELETE", path: "/api/v1/todos/{id}", summary: "Remove a to-do", response: Empty }),
  listRecurring: endpoint({
    method: "GET",
    path: "/api/v1/todos/recurring",
    summary: "Recurring to-dos, by their next time",
    permission: "turns:read",
    response: z.object({ items: z.array(RecurringTodo) }),
  }),
  removeRecurring: endpoint({
    ...write,
    method: "DELETE",
    path: "/api/v1/todos/recurring/{id}",
    summary: "End a recurring to-do; the to-dos that it made stay",
    response: Empty,
  }),
};

export const todoContract = defineContract({
  reference: { name: "To-dos", description: "A list of the workspace that people and agents share, with the people whom it mentions." },
  glossary: {
    "to-do": "An item of the list that people and agents of a workspace share.",
  },
  endpoints: todoEndpoints,
  permissions: { "todos:write": "Add, complete and remove to-dos and contacts" },
  roles: { approver: ["todos:write"] },
  implies: { "todos:write": ["turns:read", "contacts:write"] },
  audit: {
    "todo.added": "To-do added",
    "todo.completed": "To-do completed",
    "todo.removed": "To-do removed",
    "recurring_todo.added": "Recurring to-do added",
    "recurring_todo.removed": "Recurring to-do ended",
  },
  navigation: { label: "To-dos", path: "/todos", icon: "IconListCheck", key: "x", group: "work", after: "/turns" },
});
