import "server-only";
import { and, lt, ne } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { db } from "@/server/platform/database";
import { idAt } from "@/server/platform/id-at";
import { sharedNow } from "@/server/platform/shared-clock";

const keptDays = 30;
const dayMs = 86_400_000;

/** Deletes deliveries older than 30 days, except pending ones. */
export async function removeOldDeliveries(now = sharedNow()): Promise<void> {
  const oldest = idAt(now.getTime() - keptDays * dayMs, "0");
  await db()
    .delete(webhookDeliveries)
    .where(and(lt(webhookDeliveries.id, oldest), ne(webhookDeliveries.status, "pending")));
}
