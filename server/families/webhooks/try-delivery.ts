import "server-only";
import { eq } from "drizzle-orm";
import { webhooks } from "@/db/schema";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";
import type { HttpCapability } from "@/server/capabilities/http";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import type { DeliveryRow } from "./claim-delivery";
import { concludeDelivery } from "./conclude-delivery";
import { deliveryBody } from "./delivery-body";
import { type Answered, sendDelivery } from "./send-delivery";

type Target = { url: string; secret: string };

/** Makes one try of a claimed delivery and records its outcome. */
export async function tryDelivery(claimed: DeliveryRow, http: HttpCapability, now: () => Date): Promise<void> {
  const target = await targetOf(claimed);
  if ("kind" in target) {
    await concludeDelivery(claimed, target, { url: claimed.url, now: now() });
    return;
  }
  const body = JSON.stringify(deliveryBody(claimed));
  const answered = await sendDelivery({ deliveryId: claimed.id, event: claimed.event, body, ...target }, http, now());
  await concludeDelivery(claimed, answered, { url: target.url, now: now() });
}

/** Returns the current address and secret, which an admin may have changed since the queueing; or why nothing can be sent. */
async function targetOf({ webhookId, workspaceId, url, event }: DeliveryRow): Promise<Target | Extract<Answered, { kind: "refused" }>> {
  if (!webhookId) return { url, secret: callbackSecretOf(workspaceId) };
  const [webhook] = await db().select().from(webhooks).where(eq(webhooks.id, webhookId));
  if (!webhook) return { kind: "refused", status: null, error: "The webhook was removed." };
  if (!webhook.enabled && event !== "webhook.tested") {
    return { kind: "refused", status: null, error: "The webhook was disabled before the delivery. Enable the webhook and redeliver." };
  }
  try {
    return { url: webhook.url, secret: unseal(webhook.secret) };
  } catch {
    return { kind: "refused", status: null, error: "The secret was sealed with another HANDRAIL_SECRET_KEY. Rotate it and redeliver." };
  }
}
