import "server-only";
import { and, eq, isNull, sql } from "drizzle-orm";
import { agents, conversations, scheduleRuns, schedules } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import type { Attempt } from "@/server/jobs/run-queue";
import { db } from "@/server/platform/database/database";
import { isAppError } from "@/server/platform/errors";
import { sendBack } from "@/server/platform/extension-points/ordered-results";
import { isRefusedActor, mayStartLater, startRunFor } from "@/server/runs/starts/start-run-for";
import { scheduledRunQueue } from "./schedule-queue";

const brokenInside =
  "The run could not start because of a failure inside Handrail. The server's log has the reason; run the schedule again.";

type Found = NonNullable<Awaited<ReturnType<typeof findRun>>>;

/**
 * Starts the agent's run of a schedule's run, for whoever made the schedule. The run's id is the idempotency key, so an
 * attempt that is repeated starts no second run. A schedule whose maker may not act any more is paused.
 */
export async function startScheduledRun({ scheduleRunId }: { scheduleRunId: string }, { number }: Pick<Attempt, "number">): Promise<void> {
  const found = await findRun(scheduleRunId);
  if (!found) return;
  const { workspaceId, agentId, createdBy, text, conversationId } = found;
  try {
    const work = { workspaceId, agentId, conversationId, message: text, idempotencyKey: `schedule:${scheduleRunId}` };
    const { id: runId } = await startRunFor(createdBy, work);
    await db().update(scheduleRuns).set({ runId }).where(eq(scheduleRuns.id, scheduleRunId));
  } catch (error) {
    if (mayStartLater(error) && number < scheduledRunQueue.retry.attempts) throw error;
    await failRun(found, isAppError(error) ? error.message : brokenInside, isRefusedActor(error));
  }
}

/** Returns the run while its agent has not begun, and its conversation exists. */
async function findRun(scheduleRunId: string) {
  const [found] = await db()
    .select({
      id: scheduleRuns.id,
      scheduleId: schedules.id,
      schedule: schedules.name,
      workspaceId: schedules.workspaceId,
      agentId: schedules.agentId,
      agent: agents.name,
      createdBy: schedules.createdBy,
      text: scheduleRuns.text,
      conversationId: conversations.id,
      orderedIn: schedules.conversationId,
    })
    .from(scheduleRuns)
    .innerJoin(schedules, eq(schedules.id, scheduleRuns.scheduleId))
    .innerJoin(agents, eq(agents.id, schedules.agentId))
    .innerJoin(conversations, eq(conversations.id, scheduleRuns.conversationId))
    .where(and(eq(scheduleRuns.id, scheduleRunId), eq(scheduleRuns.status, "started"), isNull(scheduleRuns.runId)));
  return found;
}

async function failRun(
  { id, scheduleId, schedule, workspaceId, agent, conversationId, orderedIn }: Found,
  error: string,
  pauses: boolean,
): Promise<void> {
  await db().transaction(async (tx) => {
    const [failed] = await tx
      .update(scheduleRuns)
      .set({ status: "failed", error })
      .where(and(eq(scheduleRuns.id, id), eq(scheduleRuns.status, "started")))
      .returning();
    if (!failed) return;
    await sendBack(tx, { orderedIn, key: `schedule:${id}`, title: schedule, text: `⚠️ ${error}` });
    const entry = { workspaceId, actor: systemActor, subject: scheduleId, agent, conversationId };
    await record(tx, { ...entry, event: "schedule.failed", data: { schedule, reason: error } });
    const paused = { enabled: false, nextRunAt: null, pausedReason: error, version: sql`${schedules.version} + 1` };
    await tx
      .update(schedules)
      .set({ lastStatus: "failed", ...(pauses ? paused : {}) })
      .where(eq(schedules.id, scheduleId));
    if (pauses) await record(tx, { ...entry, event: "schedule.paused", data: { schedule, reason: error } });
  });
}
