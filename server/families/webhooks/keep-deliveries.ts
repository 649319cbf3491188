import "server-only";
import { and, eq, lt, ne } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { idAt } from "@/server/platform/id-at";
import { enqueue } from "@/server/platform/queue";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";

/** A delivery that is overdue by this time has lost its work item, or is older than the queue. */
const lostAfterMs = 10 * 60_000;
const atOnce = 500;

/** Queues the next try of deliveries whose work item was lost. */
export async function findLostDeliveries(now = sharedNow()): Promise<void> {
  const { id, status, nextAttemptAt } = webhookDeliveries;
  const isLost = and(eq(status, "pending"), lt(nextAttemptAt, new Date(now.getTime() - lostAfterMs)));
  await db().transaction(async (tx) => {
    const lost = await tx.select().from(webhookDeliveries).where(isLost).orderBy(nextAttemptAt).limit(atOnce).for("update");
    for (const row of lost) {
      // Makes the delivery due now, so that the next search does not find it again.
      await tx.update(webhookDeliveries).set({ nextAttemptAt: now }).where(eq(id, row.id));
    }
    const items = lost.map((row) => ({
      workspaceId: row.workspaceId,
      input: { deliveryId: row.id, attempt: row.attempts + 1 },
      group: groupOfAddress(row.url),
    }));
    await enqueue(tx, deliveryQueue, items);
  });
}

const keptDays = 30;
const dayMs = 86_400_000;

/** Deletes deliveries older than 30 days, except pending ones. */
export async function removeOldDeliveries(now = sharedNow()): Promise<void> {
  const oldest = idAt(now.getTime() - keptDays * dayMs, "0");
  await db()
    .delete(webhookDeliveries)
    .where(and(lt(webhookDeliveries.id, oldest), ne(webhookDeliveries.status, "pending")));
}
