import "server-only";
import { eq } from "drizzle-orm";
import type { WebhookDeliveryStory } from "@/contracts/hooks/webhooks";
import { webhookDeliveries } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { callbackHttp } from "@/server/capabilities/callbacks/callback-http";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { db } from "@/server/platform/database/database";
import { enqueue } from "@/server/platform/queue";
import { deliveryStory } from "./deliveries";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";
import { tryDelivery } from "./try-delivery";
import { webhooks } from "./webhooks";

/** After this time a test without an outcome counts as lost with its process, and is sent again. */
const lostAfterMs = 60_000;

/**
 * Sends one real, signed delivery at once, also for a disabled webhook, and returns its outcome.
 * @throws AppError `not_found`
 */
export async function testWebhook(
  actor: Authorized<"hooks:write">,
  webhookId: string,
  http: HttpCapability = callbackHttp(),
): Promise<WebhookDeliveryStory> {
  const { name, url } = await webhooks.find(actor.workspaceId, webhookId);
  const now = new Date();
  const { workspaceId } = actor;
  const lostAt = new Date(now.getTime() + lostAfterMs);
  const claimed = await db().transaction(async (tx) => {
    const [row] = await tx
      .insert(webhookDeliveries)
      .values({
        workspaceId,
        webhookId,
        event: "webhook.tested",
        url,
        payload: { webhook: name, testedBy: toActorRef(actor) },
        // Inserted as claimed, so that no worker sends the delivery too.
        attempts: 1,
        lastAttemptAt: now,
        nextAttemptAt: lostAt,
      })
      .returning();
    if (!row) throw new Error("The delivery was not inserted");
    const input = { deliveryId: row.id, attempt: 2 };
    await enqueue(tx, deliveryQueue, [{ workspaceId, input, startAfter: lostAt, group: groupOfAddress(url) }]);
    return row;
  });
  await tryDelivery(claimed, http, () => new Date());
  const [tried] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.id, claimed.id));
  return deliveryStory(tried ?? claimed);
}
