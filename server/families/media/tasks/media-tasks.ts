import "server-only";
import { and, desc, eq, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { MediaKind, MediaProviderId, MediaTaskStatus } from "@/contracts/models/media";
import { artifacts, conversations, jobs, mediaTasks, toolCalls } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";

export type MediaTaskRow = typeof mediaTasks.$inferSelect;
export type TaskOwner = { workspaceId: string; conversationId: string; callId: string };

type NewTask = TaskOwner & { kind: MediaKind; provider: MediaProviderId; model: string };
type Change = { provider?: MediaProviderId; model?: string; status?: MediaTaskStatus; handle?: JsonObject | null; error?: string | null };

export async function findTaskOfCall(callId: string): Promise<MediaTaskRow | undefined> {
  const [row] = await db().select().from(mediaTasks).where(eq(mediaTasks.callId, callId));
  return row;
}

/** @throws AppError `not_found` also for a task of another conversation */
export async function findTask(
  { conversationId }: Pick<TaskOwner, "conversationId">,
  kind: MediaKind,
  taskId: string,
): Promise<MediaTaskRow> {
  const [row] = await db()
    .select()
    .from(mediaTasks)
    .where(and(eq(mediaTasks.id, taskId), eq(mediaTasks.conversationId, conversationId), eq(mediaTasks.kind, kind)));
  if (!row) throw new AppError("not_found", `There is no task ${taskId} of this kind in the conversation. Leave taskId out to list them.`);
  return row;
}

/** Lists the latest tasks of a kind, newest first. */
export function listTasks({ conversationId }: Pick<TaskOwner, "conversationId">, kind: MediaKind): Promise<MediaTaskRow[]> {
  return db()
    .select()
    .from(mediaTasks)
    .where(and(eq(mediaTasks.conversationId, conversationId), eq(mediaTasks.kind, kind)))
    .orderBy(desc(mediaTasks.id))
    .limit(10);
}

/** The call of the task, or its background job, has not ended. */
const isCallOpen: SQL = or(
  sql`exists (select 1 from ${jobs} where ${jobs.callId} = ${mediaTasks.callId} and ${jobs.status} in ('pending', 'running'))`,
  sql`exists (select 1 from ${toolCalls} where ${toolCalls.id} = ${mediaTasks.callId} and ${toolCalls.status} = 'running')`,
) as SQL;

/** Returns whether a call waits for the task right now. */
export async function isAwaited({ id }: Pick<MediaTaskRow, "id">): Promise<boolean> {
  const rows = await db()
    .select({ id: mediaTasks.id })
    .from(mediaTasks)
    .where(and(eq(mediaTasks.id, id), isCallOpen));
  return rows.length > 0;
}

/** Returns whether a person stopped the call of a task; the end of the process and a time limit are no such wish. */
export async function isStopped({ callId }: Pick<MediaTaskRow, "callId">): Promise<boolean> {
  const rows = await db()
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.callId, callId), isNotNull(jobs.cancelRequestedAt)));
  return rows.length > 0;
}

/**
 * Writes the task of a call before its request leaves.
 * @param onlyOne refuses while another call of the conversation waits for the same kind
 * @throws AppError `conflict`
 */
export function reserveTask(task: NewTask, { onlyOne }: { onlyOne: boolean }): Promise<MediaTaskRow> {
  return db().transaction(async (tx) => {
    // The lock lets two calls of one moment see each other.
    await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, task.conversationId)).for("update");
    const [active] = onlyOne
      ? await tx
          .select({ id: mediaTasks.id })
          .from(mediaTasks)
          .where(
            and(
              eq(mediaTasks.conversationId, task.conversationId),
              eq(mediaTasks.kind, task.kind),
              ne(mediaTasks.callId, task.callId),
              inArray(mediaTasks.status, ["submitting", "running"]),
              isCallOpen,
            ),
          )
      : [];
    if (active) {
      throw new AppError(
        "conflict",
        `The conversation already makes a ${task.kind} (task ${active.id}). Its result comes by itself; begin the next one then.`,
      );
    }
    const [row] = await tx
      .insert(mediaTasks)
      .values({ ...task, status: "submitting" })
      .returning();
    if (!row) throw new Error("the media task was not stored");
    return row;
  });
}

export async function changeTask({ id }: Pick<MediaTaskRow, "id">, change: Change): Promise<void> {
  await db().update(mediaTasks).set(change).where(eq(mediaTasks.id, id));
}

/** Returns the ids of the images that the task's call produced, in order. */
export async function imagesOfTask({ conversationId }: Pick<TaskOwner, "conversationId">, taskId: string): Promise<string[]> {
  const rows = await db()
    .select({ id: artifacts.id })
    .from(mediaTasks)
    .innerJoin(artifacts, eq(artifacts.callId, mediaTasks.callId))
    .where(and(eq(mediaTasks.id, taskId), eq(mediaTasks.conversationId, conversationId), sql`${artifacts.mediaType} like 'image/%'`))
    .orderBy(artifacts.id);
  return rows.map(({ id }) => id);
}
