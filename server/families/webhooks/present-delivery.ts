import type { WebhookDelivery } from "@/contracts/webhooks";
import type { webhookDeliveries } from "@/db/schema";

/** Converts a delivery's row to its public form; no other code does. */
export function presentDelivery(row: typeof webhookDeliveries.$inferSelect): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    turnId: row.turnId,
    event: row.event,
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
