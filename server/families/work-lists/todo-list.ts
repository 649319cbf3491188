import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { todoStatuses } from "@/contracts/conversations/work-lists";

export const maxTodos = 200;
/** The key of the list in its area of the notes. */
export const todoKey = "todos";

const Todo = z.object({ id: z.string(), content: z.string(), status: z.enum(todoStatuses) });
export type Todo = z.infer<typeof Todo>;

/** The list as it is stored. */
export const TodoList = z.array(Todo).max(maxTodos);

/** An item as a model writes it: everything may be missing. */
export type GivenTodo = { id?: string | number | undefined; content?: string | undefined; status?: string | undefined };

/** Completes an item: no id becomes `?`, no content `(no description)`, an unknown status `pending`. */
function completed({ id, content, status }: GivenTodo): Todo {
  return {
    id: String(id ?? "").trim() || "?",
    content: (content ?? "").trim() || "(no description)",
    status: todoStatuses.find((known) => known === status) ?? "pending",
  };
}

/** Replaces the list; of two items with one id the last counts. */
export function replaceTodos(given: readonly GivenTodo[]): Todo[] {
  const byId = new Map<string, Todo>();
  for (const todo of given.map(completed)) {
    byId.delete(todo.id);
    byId.set(todo.id, todo);
  }
  return [...byId.values()];
}

/** Patches the items with a known id, and appends the others. */
export function mergeTodos(list: readonly Todo[], given: readonly GivenTodo[]): Todo[] {
  const byId = new Map(list.map((todo) => [todo.id, todo]));
  for (const patch of given) {
    const whole = completed(patch);
    const before = byId.get(whole.id);
    byId.set(
      whole.id,
      before
        ? {
            ...before,
            ...(patch.content?.trim() ? { content: whole.content } : {}),
            ...(patch.status === undefined ? {} : { status: whole.status }),
          }
        : whole,
    );
  }
  return [...byId.values()];
}

/** The list with its counts, as the model reads it. */
export function presentTodos(todos: readonly Todo[]): JsonObject {
  const count = (status: Todo["status"]) => todos.filter((todo) => todo.status === status).length;
  const counts = Object.fromEntries(todoStatuses.map((status) => [status, count(status)]));
  return { todos: [...todos], summary: { total: todos.length, ...counts } };
}

/** The open items as lines for the prompt; empty without open items. */
export function openTodoLines(todos: readonly Todo[]): string[] {
  const open = todos.filter(({ status }) => status === "pending" || status === "in_progress");
  return open.map(({ id, content, status }) => `- ${status === "pending" ? "[ ]" : "[>]"} ${id}. ${content} (${status})`);
}

/** The open items, for the prompt after a context was compressed; empty without open items. */
export function todoReminder(todos: readonly Todo[]): string {
  const lines = openTodoLines(todos);
  return lines.length === 0 ? "" : ["[Your active task list was preserved across context compression]", ...lines].join("\n");
}
