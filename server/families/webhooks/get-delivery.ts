import "server-only";
import { and, eq } from "drizzle-orm";
import type { WebhookDeliveryStory } from "@/contracts/webhooks";
import { webhookDeliveries } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { deliveryBody } from "./delivery-body";
import { missingDelivery } from "./missing-delivery";
import { presentDelivery } from "./present-delivery";

/** @throws AppError `not_found`. */
export async function getDelivery(actor: Authorized<"hooks:write">, deliveryId: string): Promise<WebhookDeliveryStory> {
  const [row] = await db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.workspaceId, actor.workspaceId), eq(webhookDeliveries.id, deliveryId)));
  if (!row) throw missingDelivery();
  return deliveryStory(row);
}

/** Returns a delivery together with its body. */
export const deliveryStory = (row: typeof webhookDeliveries.$inferSelect): WebhookDeliveryStory => ({
  ...presentDelivery(row),
  body: deliveryBody(row),
});
