import { z } from "zod";
import { Id, Timestamp } from "@/contracts/common";
import type { Db } from "@/db/client";
import type { schedules } from "@/db/schema";
import { defineQueue, enqueue } from "@/server/platform/queue";

/** One item is one due time of one schedule. The schedule's row says whether that time still counts. */
export const scheduleQueue = defineQueue({
  name: "run_schedule",
  title: "Schedules",
  description: "One item per schedule, at its next run",
  input: z.object({ scheduleId: Id, dueAt: Timestamp }),
});

/** One item is one run of a schedule whose agent is to answer. */
export const scheduledRunQueue = defineQueue({
  name: "start_scheduled_run",
  title: "Runs of schedules",
  description: "Starts the agent's run when its schedule has fired",
  input: z.object({ scheduleRunId: Id }),
});

type Due = Pick<typeof schedules.$inferSelect, "id" | "workspaceId" | "nextRunAt">;

/** Queues the next runs of schedules in the transaction that decides them; a paused schedule has none. */
export async function queueNextRuns(tx: Db, rows: readonly Due[]): Promise<void> {
  const items = rows.flatMap(({ id, workspaceId, nextRunAt }) =>
    nextRunAt === null ? [] : [{ workspaceId, input: { scheduleId: id, dueAt: nextRunAt.toISOString() }, startAfter: nextRunAt }],
  );
  await enqueue(tx, scheduleQueue, items);
}
