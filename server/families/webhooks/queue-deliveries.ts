import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { SubscribedEventName, WebhookEventName } from "@/contracts/hooks/webhooks";
import type { Db } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { storableObject } from "@/server/platform/database/storable";
import type { PublishedEvent } from "@/server/platform/extension-points/outbox";
import { enqueue } from "@/server/platform/queue";
import { versionedCache } from "@/server/platform/signals/versioned-cache";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";

/**
 * Queues events for subscribed webhooks and callback URLs, in the caller's transaction: they are sent if and only if it
 * commits. Check `wantsWebhooks` first for frequent events that hardly any webhook wants.
 */
export async function queueDeliveries(tx: Db, events: readonly PublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const subscribers = await tx
    .select({ id: webhooks.id, workspaceId: webhooks.workspaceId, url: webhooks.url, events: webhooks.events })
    .from(webhooks)
    .where(and(inArray(webhooks.workspaceId, [...new Set(events.map(({ workspaceId }) => workspaceId))]), eq(webhooks.enabled, true)))
    .orderBy(webhooks.id)
    // The lock keeps these webhooks until the new rows refer to them, so that a concurrent removal does not fail the caller.
    .for("key share");
  const now = sharedNow();
  const rows = events.flatMap(({ workspaceId, event, turnId, callbackUrl, payload }) => {
    const row = { workspaceId, event, turnId: turnId ?? null, payload: storableObject(payload), nextAttemptAt: now };
    const wanting = subscribers.filter((webhook) => webhook.workspaceId === workspaceId && webhook.events.includes(event));
    return [
      ...(callbackUrl ? [{ ...row, webhookId: null, url: callbackUrl }] : []),
      ...wanting.map(({ id, url }) => ({ ...row, webhookId: id, url })),
    ];
  });
  if (rows.length === 0) return;
  const { id, workspaceId, url } = webhookDeliveries;
  const queued = await tx.insert(webhookDeliveries).values(rows).returning({ id, workspaceId, url });
  const firstTries = queued.map((row) => ({
    workspaceId: row.workspaceId,
    input: { deliveryId: row.id, attempt: 1 },
    group: groupOfAddress(row.url),
  }));
  await enqueue(tx, deliveryQueue, firstTries);
}

const wantedEvents = versionedCache("webhooks.wanted", async (workspaceId) => {
  const rows = await db()
    .select({ events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.workspaceId, workspaceId), eq(webhooks.enabled, true)));
  return new Set<WebhookEventName>(rows.flatMap(({ events }) => events));
});

/**
 * Returns true when any webhook of the workspace wants an event; reads from memory.
 * @param configVersion of the workspace, if the caller has just read it
 */
export async function wantsWebhooks(workspaceId: string, event: SubscribedEventName, configVersion?: number): Promise<boolean> {
  return (await wantedEvents(workspaceId, configVersion)).has(event);
}
