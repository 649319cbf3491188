import type { Schedule, ScheduleRun } from "@/contracts/automation/schedules";
import type { scheduleRuns, schedules } from "@/db/schema";

export type ScheduleRow = typeof schedules.$inferSelect;

/** Converts a schedule's row to its public form; no other code does. */
export function presentSchedule(row: ScheduleRow, agent: string): Schedule {
  return {
    id: row.id,
    agentId: row.agentId,
    agent,
    conversationId: row.conversationId,
    name: row.name,
    action: row.action,
    text: row.text,
    timing: row.timing,
    timezone: row.timezone,
    missed: row.missed,
    enabled: row.enabled,
    pausedReason: row.pausedReason,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    createdBy: row.createdBy,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentRun(
  row: typeof scheduleRuns.$inferSelect,
  schedule: Pick<ScheduleRow, "name" | "agentId">,
  runStatus: ScheduleRun["runStatus"] = null,
): ScheduleRun {
  return {
    id: row.id,
    scheduleId: row.scheduleId,
    schedule: schedule.name,
    agentId: schedule.agentId,
    status: row.status,
    error: row.error,
    runId: row.runId,
    runStatus,
    trigger: row.trigger,
    action: row.action,
    text: row.text,
    dueAt: row.dueAt.toISOString(),
    conversationId: row.conversationId,
    createdAt: row.createdAt.toISOString(),
  };
}
