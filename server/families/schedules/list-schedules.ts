import "server-only";
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { Schedule, ScheduleFilter, ScheduleRun, ScheduleRunFilter } from "@/contracts/automation/schedules";
import { agents, runs, scheduleRuns, schedules } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { presentRun, presentSchedule } from "./present-schedule";

type Paging = { limit?: number; cursor?: string };

/** Lists the schedules that the actor may see, in the order of their creation. */
export async function listSchedules(
  actor: Authorized<"turns:read">,
  { limit = 50, cursor, agentId, enabled }: ScheduleFilter & Paging = {},
): Promise<{ items: Schedule[]; nextCursor: string | null }> {
  const found = await db()
    .select({ schedule: schedules, agent: agents.name })
    .from(schedules)
    .innerJoin(agents, eq(schedules.agentId, agents.id))
    .where(
      and(
        eq(schedules.workspaceId, actor.workspaceId),
        actor.agentId ? eq(schedules.agentId, actor.agentId) : undefined,
        agentId ? eq(schedules.agentId, agentId) : undefined,
        enabled === undefined ? undefined : eq(schedules.enabled, enabled),
        cursor === undefined ? undefined : gt(schedules.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(asc(schedules.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ schedule }) => [schedule.id]);
  return { items: rows.map(({ schedule, agent }) => presentSchedule(schedule, agent)), nextCursor };
}

/** Lists the runs that the actor may see, newest first. */
export async function listScheduleRuns(
  actor: Authorized<"turns:read">,
  { limit = 50, cursor, scheduleId }: ScheduleRunFilter & Paging = {},
): Promise<{ items: ScheduleRun[]; nextCursor: string | null }> {
  const found = await db()
    .select({ run: scheduleRuns, schedule: { name: schedules.name, agentId: schedules.agentId }, runStatus: runs.status })
    .from(scheduleRuns)
    .innerJoin(schedules, eq(scheduleRuns.scheduleId, schedules.id))
    .leftJoin(runs, eq(scheduleRuns.runId, runs.id))
    .where(
      and(
        eq(scheduleRuns.workspaceId, actor.workspaceId),
        actor.agentId ? eq(schedules.agentId, actor.agentId) : undefined,
        scheduleId ? eq(scheduleRuns.scheduleId, scheduleId) : undefined,
        cursor === undefined ? undefined : lt(scheduleRuns.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(scheduleRuns.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ run }) => [run.id]);
  return { items: rows.map(({ run, schedule, runStatus }) => presentRun(run, schedule, runStatus)), nextCursor };
}
