import "server-only";
import type { ScheduleTiming } from "@/contracts/automation/schedules";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { databaseNow } from "@/server/platform/database/database-time";
import { nextRuns } from "./next-run";

const previewed = 5;

/** Returns the next times of a timing. @throws AppError `invalid` for an expression or a zone that nothing can run by */
export async function previewSchedule(
  _actor: Authorized<"schedules:write">,
  { timing, timezone }: { timing: ScheduleTiming; timezone: string },
): Promise<{ times: string[] }> {
  const times = nextRuns(timing, timezone, await databaseNow(db()), previewed);
  return { times: times.map((time) => time.toISOString()) };
}
