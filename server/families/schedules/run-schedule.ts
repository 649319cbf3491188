import "server-only";
import { and, eq } from "drizzle-orm";
import type { ScheduleRun, scheduleTriggers } from "@/contracts/automation/schedules";
import type { ActorRef, JsonObject } from "@/contracts/common";
import type { Db } from "@/db/client";
import { agents, conversations, scheduleRuns, schedules } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { sendBack } from "@/server/platform/extension-points/ordered-results";
import { newId } from "@/server/platform/ids";
import { enqueue } from "@/server/platform/queue";
import { hasModels } from "@/server/runs/run-models";
import { openTriggered } from "@/server/runs/starts/trigger";
import { lockSchedule } from "./find-schedule";
import { nextRun } from "./next-run";
import { presentRun, type ScheduleRow } from "./present-schedule";
import { queueNextRuns, scheduledRunQueue } from "./schedule-queue";

/** A run that begins later than this was missed. */
const missedAfterMs = 5 * 60_000;

type Run = { schedule: ScheduleRow; dueAt: Date; trigger: (typeof scheduleTriggers)[number]; by: ActorRef; requestId?: string | null };

/**
 * Runs a schedule that is due. The row's lock and its `nextRunAt` make each due time run once, whatever number of replicas
 * have the item: the first moves the time on, and the others find another time.
 */
export async function runDueSchedule({ scheduleId, dueAt }: { scheduleId: string; dueAt: string }): Promise<void> {
  await db().transaction(async (tx) => {
    const due = new Date(dueAt);
    const [schedule] = await tx
      .select()
      .from(schedules)
      .where(and(eq(schedules.id, scheduleId), eq(schedules.enabled, true), eq(schedules.nextRunAt, due)))
      .for("update");
    if (!schedule) return;
    const now = await databaseNow(tx);
    const isSkipped = schedule.missed === "skip" && now.getTime() - due.getTime() > missedAfterMs;
    if (isSkipped) await skipRun(tx, schedule, due);
    else await startRun(tx, { schedule, dueAt: due, trigger: "clock", by: systemActor });
    // From now on, so that one run makes up for all that were missed.
    const nextRunAt = schedule.timing.kind === "once" ? null : nextRun(schedule.timing, schedule.timezone, now, due);
    await tx
      .update(schedules)
      .set({ nextRunAt, enabled: nextRunAt !== null, lastRunAt: now, lastStatus: isSkipped ? "skipped" : "started" })
      .where(eq(schedules.id, schedule.id));
    await queueNextRuns(tx, [{ ...schedule, nextRunAt }]);
  });
}

/** Runs a schedule now, also a paused one; its next run stays where it is. @throws AppError `not_found`. */
export async function runScheduleNow(actor: Authorized<"schedules:write">, scheduleId: string): Promise<ScheduleRun> {
  return db().transaction(async (tx) => {
    const schedule = await lockSchedule(tx, actor, scheduleId);
    const now = await databaseNow(tx);
    const run = await startRun(tx, { schedule, dueAt: now, trigger: "person", by: actor, requestId: actor.requestId });
    await tx.update(schedules).set({ lastRunAt: now, lastStatus: "started" }).where(eq(schedules.id, schedule.id));
    return presentRun(run, schedule);
  });
}

/** Opens the conversation of a run, with what subscribers and the audit read, queues the agent's run, and keeps it all in the history. */
async function startRun(tx: Db, { schedule, dueAt, trigger, by, requestId = null }: Run) {
  const { workspaceId, agentId, action, text, name } = schedule;
  const [agent] = await tx
    .select({ name: agents.name, workspaceId: agents.workspaceId, models: agents.models })
    .from(agents)
    .where(eq(agents.id, agentId));
  // A reminder is for people, so no model answers it.
  const startsRun = action === "prompt" && agent !== undefined && (await hasModels(tx, agent));
  const runId = newId();
  const about: JsonObject = {
    action,
    text,
    schedule: name,
    scheduleId: schedule.id,
    runId,
    trigger,
    dueAt: dueAt.toISOString(),
    madeIn: schedule.conversationId,
    startsRun,
  };
  const [ordered] = schedule.conversationId
    ? await tx.select({ channel: conversations.channel }).from(conversations).where(eq(conversations.id, schedule.conversationId))
    : [];
  const conversationId = await openTriggered(tx, {
    workspaceId,
    agent: { id: agentId, name: agent?.name ?? null },
    origin: "cron",
    interactive: false,
    metadata: { schedule: about },
    createdBy: schedule.createdBy,
    by,
    requestId,
    noted: { schedule: name },
    // The answer goes back there, so the run sees what may be seen there: in a group, less.
    kinship: { channel: ordered?.channel ?? null },
    fired: { event: "schedule.fired", subject: schedule.id, about },
  });
  const [run] = await tx
    .insert(scheduleRuns)
    .values({ id: runId, workspaceId, scheduleId: schedule.id, status: "started", trigger, action, text, dueAt, conversationId })
    .returning();
  if (!run) throw new Error("The run was not inserted");
  if (!startsRun) await sendBack(tx, { orderedIn: schedule.conversationId, key: `schedule:${runId}`, title: name, text });
  if (startsRun) await enqueue(tx, scheduledRunQueue, [{ workspaceId, input: { scheduleRunId: runId } }]);
  return run;
}

/** Keeps a missed run in the history, without a conversation. */
async function skipRun(tx: Db, { id, workspaceId, action, text, name }: ScheduleRow, dueAt: Date): Promise<void> {
  await tx.insert(scheduleRuns).values({ workspaceId, scheduleId: id, status: "skipped", trigger: "clock", action, text, dueAt });
  await record(tx, {
    workspaceId,
    event: "schedule.skipped",
    actor: systemActor,
    subject: id,
    data: { schedule: name, dueAt: dueAt.toISOString() },
  });
}
