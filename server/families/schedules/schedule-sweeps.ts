import "server-only";
import { and, eq, lt, sql } from "drizzle-orm";
import { scheduleRuns, schedules } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { queueNextRuns } from "./schedule-queue";

const atOnce = 500;
const keptDays = 30;

/** Queues due runs whose work item was lost. A second item of the same due time does nothing. */
export async function findLostRuns(): Promise<void> {
  await db().transaction(async (tx) => {
    const isLost = and(eq(schedules.enabled, true), lt(schedules.nextRunAt, sql`now() - interval '1 minute'`));
    const lost = await tx.select().from(schedules).where(isLost).orderBy(schedules.nextRunAt).limit(atOnce);
    await queueNextRuns(tx, lost);
  });
}

/** Removes old runs from the history. */
export async function removeOldScheduleRuns(): Promise<void> {
  await db()
    .delete(scheduleRuns)
    .where(lt(scheduleRuns.createdAt, sql`now() - make_interval(days => ${keptDays})`));
}
