import type { Webhook, WebhookDelivery } from "@/contracts/webhooks";
import type { webhooks } from "@/db/schema";

/** Converts a webhook's row to its public form, without its secret; no other code does. */
export function presentWebhook(row: typeof webhooks.$inferSelect, lastDelivery: WebhookDelivery | null): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events.filter((event) => event !== "webhook.tested"),
    enabled: row.enabled,
    lastDelivery,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
