import type { JsonObject } from "@/contracts/common";
import type { ScheduleRow } from "./present-schedule";

/** Returns the audit's form of a schedule's settings. */
export function settingsInAudit({ name, action, text, timing, timezone, missed, enabled, nextRunAt }: ScheduleRow): JsonObject {
  return { name, action, text, timing, timezone, missed, enabled, nextRunAt: nextRunAt?.toISOString() ?? null };
}
