import type { RecurringTodo, TodoItem } from "@/contracts/conversations/todos";
import type { recurringTodos, todoItems } from "@/db/schema";

export type TodoRow = typeof todoItems.$inferSelect;
export type RecurringRow = typeof recurringTodos.$inferSelect;

/** Converts a to-do's row to its public form; no other code does. */
export function presentTodo(row: TodoRow): TodoItem {
  const { id, status, content, people, chatId, conversationId, recurringId, createdBy, doneBy, createdAt, doneAt } = row;
  const moments = { createdAt: createdAt.toISOString(), doneAt: doneAt?.toISOString() ?? null };
  return { id, status, content, people, chatId, conversationId, recurringId, createdBy, doneBy, ...moments };
}

export function presentRecurring(row: RecurringRow): RecurringTodo {
  const { id, content, people, repeatEvery, repeatUnit, timezone, nextAt, createdBy, createdAt } = row;
  const every = { count: repeatEvery, unit: repeatUnit };
  return { id, content, people, every, timezone, nextAt: nextAt.toISOString(), createdBy, createdAt: createdAt.toISOString() };
}
