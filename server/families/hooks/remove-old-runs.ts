import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { idAt } from "@/server/platform/id-at";

const keptDays = 14;
const dayMs = 86_400_000;
const atOnce = 5_000;

/** Deletes runs older than 14 days, a few thousand at a time, so that no other query waits long. */
export async function removeOldRuns(now = sharedNow()): Promise<void> {
  const oldest = idAt(now.getTime() - keptDays * dayMs, "0");
  await db().execute(
    sql`delete from hook_runs where id in (select id from hook_runs where id < ${oldest}::uuid order by id limit ${atOnce})`,
  );
}
