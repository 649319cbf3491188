import "server-only";
import { sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { WorkQueueName } from "@/contracts/operations/work";
import type { Db } from "@/db/client";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { runningBoss } from "./engine";
import { errorOf, visibleTo, workItems } from "./work-items";

/** Gives a failed item one more attempt, at once. @throws AppError `not_found` */
export async function retryFailedItem(actor: Authorized<"admin">, itemId: string): Promise<Record<string, never>> {
  return settle(actor, itemId, "work_item.retried", async (tx, queue) => {
    await runningBoss().retry(queue, itemId, { db: fromDrizzle(tx, sql) });
    await signalOnCommit(tx, { topic: "work", queue });
  });
}

/** Removes a failed item, so that items behind it with the same key run. @throws AppError `not_found` */
export async function discardFailedItem(actor: Authorized<"admin">, itemId: string): Promise<Record<string, never>> {
  return settle(actor, itemId, "work_item.discarded", async (tx, queue) => {
    await runningBoss().deleteJob(queue, itemId, { db: fromDrizzle(tx, sql) });
    await signalOnCommit(tx, { topic: "work", queue });
  });
}

async function settle(
  actor: Authorized<"admin">,
  itemId: string,
  event: AuditEventName,
  change: (tx: Db, queue: WorkQueueName) => Promise<void>,
): Promise<Record<string, never>> {
  await db().transaction(async (tx) => {
    const [item] = await tx.execute<{ name: WorkQueueName; error: string | null }>(sql`
      select name, ${errorOf} as error from ${workItems} as item
      where id = ${itemId} and state = 'failed' and ${visibleTo(actor.workspaceId)} for update`);
    if (!item)
      throw new AppError("not_found", "There is no failed work item with this id: it was retried, discarded or removed after 30 days.");
    await change(tx, item.name);
    await record(tx, {
      workspaceId: actor.workspaceId,
      event,
      actor: toActorRef(actor),
      subject: itemId,
      data: { queue: item.name, error: item.error },
      requestId: actor.requestId,
    });
  });
  return {};
}
