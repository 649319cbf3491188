import "server-only";
import { sql } from "drizzle-orm";
import { db } from "@/server/platform/database/database";
import { workItems } from "./work-items";

/** Removes work items that succeeded, except the newest of each queue, which says when the queue last ran. */
export async function removeFinishedItems(): Promise<void> {
  await db().execute(sql`
    delete from ${workItems} where state = 'completed' and completed_on < now() - interval '10 minutes'
      and id not in (select distinct on (name) id from ${workItems} where state = 'completed' order by name, completed_on desc)`);
}
