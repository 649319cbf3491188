import "server-only";
import { and, asc, eq, lte, notInArray, sql } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { db } from "@/server/platform/database";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A try that nobody concluded after this long was lost with its process; the delivery is due again. */
export const claimMs = 60_000;

/**
 * Takes the delivery that is due for the longest time, so that no other worker has it; null when none is.
 * @param except addresses that have enough under way
 */
export async function claimDelivery(now: Date, except: readonly string[] = []): Promise<DeliveryRow | null> {
  const due = db()
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.status, "pending"),
        lte(webhookDeliveries.nextAttemptAt, now),
        except.length > 0 ? notInArray(webhookDeliveries.url, [...except]) : undefined,
      ),
    )
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [claimed] = await db()
    .update(webhookDeliveries)
    .set({
      attempts: sql`${webhookDeliveries.attempts} + 1`,
      lastAttemptAt: now,
      nextAttemptAt: new Date(now.getTime() + claimMs),
    })
    // As an array, because Postgres may run a plain sub-select with a lock more than once, and then claim more than one.
    .where(sql`${webhookDeliveries.id} = any(array(${due}))`)
    .returning();
  return claimed ?? null;
}
