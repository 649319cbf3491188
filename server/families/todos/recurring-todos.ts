import "server-only";
import { and, asc, eq, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { ActorRef } from "@/contracts/common";
import { Id, Timestamp } from "@/contracts/common";
import type { RecurringTodo } from "@/contracts/conversations/todos";
import type { Db } from "@/db/client";
import { recurringTodos, todoItems } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, systemActor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { AppError } from "@/server/platform/errors";
import { defineQueue, enqueue } from "@/server/platform/queue";
import { insertTodo, maxOpenTodos } from "./change-todos";
import { presentRecurring, type RecurringRow } from "./present-todo";
import { laterTime } from "./repeat";

/** One item is one due time of one recurring to-do. The row says whether that time still counts. */
export const recurringQueue = defineQueue({
  name: "add_recurring_todo",
  title: "Recurring to-dos",
  description: "One item per recurring to-do, at its next time",
  input: z.object({ recurringId: Id, dueAt: Timestamp }),
});

const maxRecurring = 200;

type NewRecurring = Omit<typeof recurringTodos.$inferInsert, "id" | "createdAt" | "createdBy"> & { by: ActorRef };

/** Adds a recurring to-do with its first due time and its audit row. @throws AppError `conflict` at the limit */
export async function insertRecurring(tx: Db, { by, ...values }: NewRecurring): Promise<RecurringRow> {
  if ((await tx.$count(recurringTodos, eq(recurringTodos.workspaceId, values.workspaceId))) >= maxRecurring) {
    throw new AppError("conflict", `A workspace has at most ${maxRecurring} recurring to-dos. End one that is not needed any more.`);
  }
  const [row] = await tx
    .insert(recurringTodos)
    .values({ ...values, createdBy: toActorRef(by) })
    .returning();
  if (!row) throw new Error("The recurring to-do was not inserted");
  await queueDue(tx, [row]);
  await recordRecurring(tx, "recurring_todo.added", row, by);
  return row;
}

/**
 * Adds the to-do of a due time. The row's lock and its `nextAt` make each due time count once. While the last to-do is
 * still open no second one is added, and one late time makes up for all that were missed.
 */
export async function addDueTodo({ recurringId, dueAt }: { recurringId: string; dueAt: string }): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(recurringTodos)
      .where(and(eq(recurringTodos.id, recurringId), eq(recurringTodos.nextAt, new Date(dueAt))))
      .for("update");
    if (!row) return;
    const { workspaceId, content, people, chatId } = row;
    const isOpen = and(eq(todoItems.workspaceId, workspaceId), eq(todoItems.status, "open"));
    const open = await tx.$count(todoItems, and(isOpen, eq(todoItems.recurringId, recurringId)));
    const hasRoom = (await tx.$count(todoItems, isOpen)) < maxOpenTodos;
    if (open === 0 && hasRoom) await insertTodo(tx, { workspaceId, content, people, chatId, recurringId, by: systemActor });
    const nextAt = await laterTime(tx, row, await databaseNow(tx));
    await tx.update(recurringTodos).set({ nextAt }).where(eq(recurringTodos.id, recurringId));
    await queueDue(tx, [{ ...row, nextAt }]);
  });
}

/** Queues due times whose work item was lost. A second item of the same time does nothing. */
export async function findLostTodos(): Promise<void> {
  await db().transaction(async (tx) => {
    const isLost = lt(recurringTodos.nextAt, sql`now() - interval '1 minute'`);
    await queueDue(tx, await tx.select().from(recurringTodos).where(isLost).orderBy(recurringTodos.nextAt).limit(500));
  });
}

export async function listRecurring(actor: Authorized<"turns:read">): Promise<{ items: RecurringTodo[] }> {
  const isHere = eq(recurringTodos.workspaceId, actor.workspaceId);
  const rows = await db().select().from(recurringTodos).where(isHere).orderBy(asc(recurringTodos.nextAt), asc(recurringTodos.id));
  return { items: rows.map(presentRecurring) };
}

/** Ends a recurring to-do; the to-dos that it made stay. @throws AppError `not_found` */
export async function removeRecurring(actor: Authorized<"todos:write">, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const isIt = and(eq(recurringTodos.workspaceId, actor.workspaceId), eq(recurringTodos.id, id));
    const [row] = await tx.delete(recurringTodos).where(isIt).returning();
    if (!row) throw new AppError("not_found", "This recurring to-do does not exist. It may have been ended; list the recurring to-dos.");
    await recordRecurring(tx, "recurring_todo.removed", row, actor, actor.requestId);
  });
}

async function queueDue(tx: Db, rows: readonly Pick<RecurringRow, "id" | "workspaceId" | "nextAt">[]): Promise<void> {
  const items = rows.map(({ id, workspaceId, nextAt }) => ({
    workspaceId,
    input: { recurringId: id, dueAt: nextAt.toISOString() },
    startAfter: nextAt,
  }));
  await enqueue(tx, recurringQueue, items);
}

async function recordRecurring(
  tx: Db,
  event: "recurring_todo.added" | "recurring_todo.removed",
  { id, workspaceId, content, repeatEvery, repeatUnit, timezone, nextAt }: RecurringRow,
  by: ActorRef,
  requestId: string | null = null,
): Promise<void> {
  const data = { content, repeatEvery, repeatUnit, timezone, nextAt: nextAt.toISOString() };
  await record(tx, { workspaceId, event, actor: toActorRef(by), subject: id, data, requestId });
}
