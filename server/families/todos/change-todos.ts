import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { todoItems } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import type { TodoRow } from "./present-todo";

/** An agent that adds to-dos in a loop must come to an end. */
export const maxOpenTodos = 1_000;

type NewTodo = Pick<TodoRow, "workspaceId" | "content"> &
  Partial<Pick<TodoRow, "people" | "chatId" | "conversationId" | "recurringId">> & { by: ActorRef; requestId?: string | null };

/** Adds a to-do with its audit row. @throws AppError `conflict` at the limit of open to-dos */
export async function insertTodo(tx: Db, { by, requestId = null, people = [], ...values }: NewTodo): Promise<TodoRow> {
  const isOpen = and(eq(todoItems.workspaceId, values.workspaceId), eq(todoItems.status, "open"));
  if ((await tx.$count(todoItems, isOpen)) >= maxOpenTodos) {
    throw new AppError("conflict", `The workspace has ${maxOpenTodos} open to-dos already. Complete or remove some first.`);
  }
  const [row] = await tx
    .insert(todoItems)
    .values({ ...values, people, createdBy: toActorRef(by) })
    .returning();
  if (!row) throw new Error("The to-do was not inserted");
  await recordTodo(tx, "todo.added", row, by, requestId);
  return row;
}

/** Completes a to-do. @returns null when it is done already, or gone */
export async function markDone(
  tx: Db,
  workspaceId: string,
  id: string,
  by: ActorRef,
  requestId: string | null = null,
): Promise<TodoRow | null> {
  const [row] = await tx
    .update(todoItems)
    .set({ status: "done", doneAt: sql`now()`, doneBy: toActorRef(by) })
    .where(and(eq(todoItems.workspaceId, workspaceId), eq(todoItems.id, id), eq(todoItems.status, "open")))
    .returning();
  if (row) await recordTodo(tx, "todo.completed", row, by, requestId);
  return row ?? null;
}

export async function recordTodo(
  tx: Db,
  event: "todo.added" | "todo.completed" | "todo.removed",
  { id, workspaceId, conversationId, content, people, chatId }: TodoRow,
  by: ActorRef,
  requestId: string | null,
): Promise<void> {
  const data = { content, people, chatId };
  await record(tx, { workspaceId, event, actor: toActorRef(by), subject: id, conversationId, data, requestId });
}
