import "server-only";
import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { Schedule, ScheduleUpdate } from "@/contracts/automation/schedules";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { schedules } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { agentName, lockSchedule } from "./find-schedule";
import { isOver, nameIsTaken } from "./insert-schedule";
import { nextRun } from "./next-run";
import { presentSchedule, type ScheduleRow } from "./present-schedule";
import { queueNextRuns } from "./schedule-queue";
import { settingsInAudit } from "./settings-in-audit";

/**
 * Replaces a schedule's settings.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for a taken name, `invalid` for a timing that never runs
 */
export async function updateSchedule(
  actor: Authorized<"schedules:write">,
  scheduleId: string,
  settings: ScheduleUpdate,
  version: number | null,
): Promise<Schedule> {
  const change = db().transaction(async (tx) => {
    const before = await lockSchedule(tx, actor, scheduleId, version);
    const row = await changeSchedule(tx, before, settings, actor, actor.requestId);
    return presentSchedule(row, await agentName(tx, row.agentId));
  });
  return change.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw nameIsTaken(settings.name);
    throw error;
  });
}

/** Changes a locked schedule. A schedule that keeps its timing keeps its next run, too. */
export async function changeSchedule(
  tx: Db,
  before: ScheduleRow,
  changed: Partial<ScheduleUpdate>,
  by: ActorRef,
  requestId: string | null = null,
): Promise<ScheduleRow> {
  const settings = { ...before, ...changed };
  const keepsTime = before.enabled && isDeepStrictEqual([settings.timing, settings.timezone], [before.timing, before.timezone]);
  const next = keepsTime ? before.nextRunAt : nextRun(settings.timing, settings.timezone, await databaseNow(tx));
  if (settings.enabled && next === null) throw isOver();
  const [row] = await tx
    .update(schedules)
    .set({
      ...changed,
      pausedReason: settings.enabled ? null : before.pausedReason,
      nextRunAt: settings.enabled ? next : null,
      version: sql`${schedules.version} + 1`,
    })
    .where(eq(schedules.id, before.id))
    .returning();
  if (!row) throw new Error("A locked schedule was not updated");
  if (!keepsTime) await queueNextRuns(tx, [row]);
  await record(tx, {
    workspaceId: row.workspaceId,
    event: "schedule.updated",
    actor: toActorRef(by),
    subject: row.id,
    conversationId: row.conversationId,
    data: { ...settingsInAudit(row), before: settingsInAudit(before) },
    requestId,
  });
  return row;
}
