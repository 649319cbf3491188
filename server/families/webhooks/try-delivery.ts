import "server-only";
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { callbackHttp } from "@/server/capabilities/callbacks/callback-http";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { unseal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { concludeDelivery } from "./conclude-delivery";
import { type DeliveryRow, deliveryBody } from "./deliveries";
import { type Answered, sendDelivery } from "./send-delivery";

/** One try of a delivery: its number, and how often a process died after it had begun this try. */
export type Try = { deliveryId: string; attempt: number; lostBefore: number };

/** Makes one try of a delivery; the next try is queued with its outcome. */
export async function deliverWebhook(
  due: Try,
  { http = callbackHttp(), now = sharedNow }: { http?: HttpCapability; now?: () => Date } = {},
): Promise<void> {
  const claimed = await claimDelivery(due, now());
  if (claimed) await tryDelivery(claimed, http, now);
}

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
