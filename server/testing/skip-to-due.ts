import { sql } from "drizzle-orm";
import type { WorkQueueName } from "@/contracts/operations/work";
import { workItems } from "@/server/jobs/work-items";
import { db } from "@/server/platform/database/database";

/** Makes every delayed work item of a queue due now. */
export async function skipToDue(queue: WorkQueueName): Promise<void> {
  await db().execute(sql`update ${workItems} set start_after = now() where name = ${queue} and state < 'active'`);
}
