import "server-only";
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { db } from "@/server/platform/database";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** One try of a delivery: its number, and how often a process died after it had begun this try. */
export type Try = { deliveryId: string; attempt: number; lostBefore: number };

/** Counts a new try; returns null when the delivery has moved past this try or was redelivered. */
export async function claimDelivery({ deliveryId, attempt, lostBefore }: Try, now: Date): Promise<DeliveryRow | null> {
  const { id, status, attempts } = webhookDeliveries;
  const [claimed] = await db()
    .update(webhookDeliveries)
    .set({ attempts: sql`${attempts} + 1`, lastAttemptAt: now })
    .where(
      and(
        eq(id, deliveryId),
        eq(status, "pending"),
        // A lost try was counted before its process died, so `attempts` may be higher by `lostBefore`.
        gte(attempts, attempt - 1),
        lt(attempts, attempt + lostBefore),
      ),
    )
    .returning();
  return claimed ?? null;
}
