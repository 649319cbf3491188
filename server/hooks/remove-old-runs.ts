import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database";

const keptDays = 14;
const dayMs = 86_400_000;
const atOnce = 5_000;

/** Shortens the list of runs to the last 14 days, a few thousand at a time, so that nothing waits for it. */
export async function removeOldRuns(now = new Date()): Promise<void> {
  const oldest = smallestIdOf(now.getTime() - keptDays * dayMs);
  await db().execute(
    sql`delete from hook_runs where id in (select id from hook_runs where id < ${oldest}::uuid order by id limit ${atOnce})`,
  );
}

/** Ids are UUIDv7 and begin with their millisecond, so the primary key finds old rows. */
function smallestIdOf(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
