import "server-only";
import { eq, sql } from "drizzle-orm";
import type { ScheduleUpdate } from "@/contracts/automation/schedules";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { schedules } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { databaseNow } from "@/server/platform/database/database-time";
import { AppError } from "@/server/platform/errors";
import { nextRun } from "./next-run";
import type { ScheduleRow } from "./present-schedule";
import { queueNextRuns } from "./schedule-queue";
import { settingsInAudit } from "./settings-in-audit";

/** An agent that makes schedules in a loop must come to an end. */
export const maxSchedulesPerAgent = 100;
const maxNameChars = 100;

type NewSchedule = {
  workspaceId: string;
  agentId: string;
  conversationId: string | null;
  settings: ScheduleUpdate;
  createdBy: ActorRef;
  requestId?: string | null;
  /** `number`: a taken name gets the next free number. `refuse`: a taken name is an error. */
  takenName: "number" | "refuse";
  /** The first run is due at once. */
  immediate?: boolean;
};

/** Adds a schedule with its first run and its audit row. @throws AppError `conflict`, `invalid` */
export async function insertSchedule(
  tx: Db,
  { settings, takenName, immediate = false, requestId = null, ...of }: NewSchedule,
): Promise<ScheduleRow> {
  // The lock makes names and the limit hold when two calls come at once.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`schedules:${of.agentId}`}, 0))`);
  const known = await tx.select({ name: schedules.name }).from(schedules).where(eq(schedules.agentId, of.agentId));
  if (known.length >= maxSchedulesPerAgent) {
    throw new AppError("conflict", `An agent has at most ${maxSchedulesPerAgent} schedules. Remove one that is not needed any more.`);
  }
  const taken = new Set(known.map(({ name }) => name));
  if (taken.has(settings.name) && takenName === "refuse") throw nameIsTaken(settings.name);
  const now = await databaseNow(tx);
  const nextRunAt = immediate ? now : nextRun(settings.timing, settings.timezone, now);
  if (nextRunAt === null && settings.enabled) throw isOver();
  const [row] = await tx
    .insert(schedules)
    .values({
      ...settings,
      ...of,
      name: freeName(settings.name, taken),
      nextRunAt: settings.enabled ? nextRunAt : null,
      createdBy: toActorRef(of.createdBy),
    })
    .returning();
  if (!row) throw new Error("The schedule was not inserted");
  await queueNextRuns(tx, [row]);
  await record(tx, {
    workspaceId: row.workspaceId,
    event: "schedule.created",
    actor: toActorRef(of.createdBy),
    subject: row.id,
    conversationId: row.conversationId,
    data: settingsInAudit(row),
    requestId,
  });
  return row;
}

/** Returns the name, or the name with the first free number: "Report (2)". */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free)) return free;
    const ending = ` (${number})`;
    free = `${name.slice(0, maxNameChars - ending.length)}${ending}`;
  }
}

export const nameIsTaken = (name: string): AppError =>
  new AppError("conflict", `The agent has a schedule named "${name}" already. Choose another name.`);

export const isOver = (): AppError => {
  const message = "The time of this schedule is over. Choose a time in the future.";
  return new AppError("invalid", message, { errors: [{ path: "timing", message }] });
};
