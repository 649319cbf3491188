import "server-only";
import { inArray, sql } from "drizzle-orm";
import { type FailedWorkItem, maxFailedListed, type WorkQueueName } from "@/contracts/operations/work";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { maskInText } from "@/server/secrets/mask-secrets";
import { runningQueues } from "./engine";
import { errorOf, visibleTo, workItems } from "./work-items";

type Row = { id: string; name: WorkQueueName; error: string | null; attempts: number; createdAt: string; failedAt: string | null };

/** Lists work items whose attempts are used up, newest failure first. */
export async function listFailedItems(actor: Authorized<"admin">): Promise<{ items: FailedWorkItem[] }> {
  const names = inArray(
    sql`item.name`,
    runningQueues().map(({ name }) => name),
  );
  const rows = await db().execute<Row>(sql`
    select id, name, ${errorOf} as error, retry_count + 1 as attempts, created_on as "createdAt", completed_on as "failedAt"
    from ${workItems} as item where state = 'failed' and ${names} and ${visibleTo(actor.workspaceId)}
    order by completed_on desc, id limit ${maxFailedListed}`);
  return {
    items: rows.map(({ id, name, error, attempts, createdAt, failedAt }) => ({
      id,
      queue: name,
      error: maskInText(error ?? "No reason was given."),
      attempts,
      createdAt: new Date(createdAt).toISOString(),
      failedAt: failedAt ? new Date(failedAt).toISOString() : null,
    })),
  };
}
