import "server-only";
import { eq } from "drizzle-orm";
import type { WebhookDeliveryStory } from "@/contracts/webhooks";
import { webhookDeliveries } from "@/db/schema";
import { type Holder, refOf } from "@/server/auth/actor";
import type { HttpCapability } from "@/server/capabilities/http";
import { db } from "@/server/platform/database";
import { claimMs } from "./claim-delivery";
import { findWebhook } from "./find-webhook";
import { deliveryStory } from "./get-delivery";
import { tryDelivery } from "./try-delivery";
import { webhookHttp } from "./webhook-http";

/**
 * Sends a real, signed delivery now, once, also of a webhook that is off, and answers what came of it.
 * @throws AppError `not_found`
 */
export async function testWebhook(
  actor: Holder<"hooks:write">,
  webhookId: string,
  http: HttpCapability = webhookHttp(),
): Promise<WebhookDeliveryStory> {
  const { name, url } = await findWebhook(db(), actor.workspaceId, webhookId);
  const now = new Date();
  const [claimed] = await db()
    .insert(webhookDeliveries)
    .values({
      workspaceId: actor.workspaceId,
      webhookId,
      event: "webhook.tested",
      url,
      payload: { webhook: name, testedBy: refOf(actor) },
      // Claimed from the start: no worker sends it too.
      attempts: 1,
      lastAttemptAt: now,
      nextAttemptAt: new Date(now.getTime() + claimMs),
    })
    .returning();
  if (!claimed) throw new Error("The delivery was not inserted");
  await tryDelivery(claimed, http, () => new Date());
  const [tried] = await db().select().from(webhookDeliveries).where(eq(webhookDeliveries.id, claimed.id));
  return deliveryStory(tried ?? claimed);
}
