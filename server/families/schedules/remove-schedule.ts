import "server-only";
import { eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { schedules } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { lockSchedule } from "./find-schedule";
import type { ScheduleRow } from "./present-schedule";
import { settingsInAudit } from "./settings-in-audit";

/**
 * Removes a schedule with its history. The conversations of its runs stay.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function removeSchedule(actor: Authorized<"schedules:write">, scheduleId: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    await deleteSchedule(tx, await lockSchedule(tx, actor, scheduleId, version), actor, actor.requestId);
  });
}

/** Deletes a locked schedule, and records it. A queued run finds no schedule and does nothing. */
export async function deleteSchedule(tx: Db, row: ScheduleRow, by: ActorRef, requestId: string | null = null): Promise<void> {
  await tx.delete(schedules).where(eq(schedules.id, row.id));
  await record(tx, {
    workspaceId: row.workspaceId,
    event: "schedule.removed",
    actor: toActorRef(by),
    subject: row.id,
    conversationId: row.conversationId,
    data: settingsInAudit(row),
    requestId,
  });
}
