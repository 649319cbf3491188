import "server-only";
import { and, eq } from "drizzle-orm";
import type { Schedule } from "@/contracts/automation/schedules";
import type { Db } from "@/db/client";
import { agents, schedules } from "@/db/schema";
import type { Actor, Authorized } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { presentSchedule, type ScheduleRow } from "./present-schedule";

type Viewer = Pick<Actor, "workspaceId"> & { agentId: string | null };

/**
 * Loads a schedule and locks its row until the transaction ends, for a change or a run.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`
 */
export async function lockSchedule(tx: Db, viewer: Viewer, scheduleId: string, version: number | null = null): Promise<ScheduleRow> {
  const [row] = await tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.workspaceId, viewer.workspaceId), eq(schedules.id, scheduleId)))
    .for("update");
  if (!row || (viewer.agentId !== null && viewer.agentId !== row.agentId)) throw missingSchedule();
  if (version !== null && version !== row.version) {
    throw new AppError(
      "stale_version",
      `The schedule "${row.name}" was changed by somebody else meanwhile. Reload the schedule, then repeat your change.`,
    );
  }
  return row;
}

/** Returns a schedule that the actor may see. @throws AppError `not_found`. */
export async function getSchedule(actor: Authorized<"turns:read">, scheduleId: string): Promise<Schedule> {
  const [found] = await db()
    .select({ schedule: schedules, agent: agents.name })
    .from(schedules)
    .innerJoin(agents, eq(schedules.agentId, agents.id))
    .where(and(eq(schedules.workspaceId, actor.workspaceId), eq(schedules.id, scheduleId)));
  if (!found || !maySee(actor, found.schedule)) throw missingSchedule();
  return presentSchedule(found.schedule, found.agent);
}

/** Returns the name of a schedule's agent, in the transaction of a change. */
export async function agentName(tx: Db, agentId: string): Promise<string> {
  const [agent] = await tx.select({ name: agents.name }).from(agents).where(eq(agents.id, agentId));
  return agent?.name ?? "";
}

export const missingSchedule = () =>
  new AppError("not_found", "This schedule does not exist. It may have been removed; list the schedules.");
