import "server-only";
import { sql } from "drizzle-orm";
import type { WorkQueue, WorkQueueName } from "@/contracts/operations/work";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { runningQueues } from "./engine";
import { visibleTo, workItems } from "./work-items";

type Counts = Omit<WorkQueue, "lastFinishedAt" | "schedule"> & { lastFinishedAt: string | null };

/** Lists every queue with its item counts, in the order of `runningQueues`. */
export async function listWorkQueues(actor: Authorized<"admin">): Promise<{ items: WorkQueue[] }> {
  const rows = await db().execute<Counts>(sql`
    select name,
      count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
      count(*) filter (where state < 'active' and start_after > now())::int as scheduled,
      count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'failed')::int as failed,
      max(completed_on) filter (where state = 'completed') as "lastFinishedAt"
    from ${workItems} as item where ${visibleTo(actor.workspaceId)} group by name`);
  const counts = new Map<WorkQueueName, Counts>(rows.map((row) => [row.name, row]));
  return {
    items: runningQueues().map(({ name, schedule }) => {
      const { waiting = 0, scheduled = 0, active = 0, failed = 0, lastFinishedAt } = counts.get(name) ?? {};
      return {
        name,
        waiting,
        scheduled,
        active,
        failed,
        lastFinishedAt: lastFinishedAt ? new Date(lastFinishedAt).toISOString() : null,
        schedule,
      };
    }),
  };
}
