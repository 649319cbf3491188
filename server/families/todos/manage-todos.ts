import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { TodoDraft, TodoFilter, TodoItem } from "@/contracts/conversations/todos";
import { todoItems } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { insertTodo, markDone, recordTodo } from "./change-todos";
import { presentTodo } from "./present-todo";

/** Lists the to-dos of the workspace, newest first. */
export async function listTodos(
  actor: Authorized<"turns:read">,
  { status, limit = 50, cursor }: TodoFilter & { limit?: number; cursor?: string | undefined } = {},
): Promise<{ items: TodoItem[]; nextCursor: string | null }> {
  const found = await db()
    .select()
    .from(todoItems)
    .where(
      and(
        eq(todoItems.workspaceId, actor.workspaceId),
        status && eq(todoItems.status, status),
        cursor === undefined ? undefined : lt(todoItems.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(todoItems.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentTodo), nextCursor };
}

export async function createTodo(actor: Authorized<"todos:write">, { content }: TodoDraft): Promise<TodoItem> {
  const { workspaceId, requestId } = actor;
  return db().transaction(async (tx) => presentTodo(await insertTodo(tx, { workspaceId, content, by: actor, requestId })));
}

/** Completes a to-do; one that is done stays as it is. @throws AppError `not_found` */
export async function completeTodo(actor: Authorized<"todos:write">, id: string): Promise<TodoItem> {
  return db().transaction(async (tx) => {
    const done = await markDone(tx, actor.workspaceId, id, actor, actor.requestId);
    if (done) return presentTodo(done);
    const [row] = await tx.select().from(todoItems).where(ofWorkspace(actor, id));
    if (!row) throw missing();
    return presentTodo(row);
  });
}

/** @throws AppError `not_found` */
export async function removeTodo(actor: Authorized<"todos:write">, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx.delete(todoItems).where(ofWorkspace(actor, id)).returning();
    if (!row) throw missing();
    await recordTodo(tx, "todo.removed", row, actor, actor.requestId);
  });
}

const ofWorkspace = ({ workspaceId }: { workspaceId: string }, id: string) =>
  and(eq(todoItems.workspaceId, workspaceId), eq(todoItems.id, id));

const missing = () => new AppError("not_found", "This to-do does not exist. It may have been removed; list the to-dos.");
