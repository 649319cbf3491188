import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { SubscribedEventName, WebhookEventName } from "@/contracts/webhooks";
import type { Db } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { db } from "@/server/platform/database";
import { hasQueue, queue } from "@/server/platform/queue";
import { storableObject } from "@/server/platform/storable";
import { versionedCache } from "@/server/platform/versioned-cache";

export type DeliverableEvent = {
  workspaceId: string;
  event: SubscribedEventName;
  turnId?: string;
  /** Of the turn: it gets the event whatever the webhooks want. */
  callbackUrl?: string | null;
  /** Becomes `data` of what is sent. */
  payload: JsonObject;
};

/**
 * Queues events for whoever wants them, in the caller's transaction: they are sent if and only if it commits. Ask
 * `wantsWebhooks` first where most events interest nobody.
 */
export async function queueDeliveries(tx: Db, events: readonly DeliverableEvent[]): Promise<void> {
  if (events.length === 0) return;
  const subscribers = await tx
    .select({ id: webhooks.id, workspaceId: webhooks.workspaceId, url: webhooks.url, events: webhooks.events })
    .from(webhooks)
    .where(and(inArray(webhooks.workspaceId, [...new Set(events.map(({ workspaceId }) => workspaceId))]), eq(webhooks.enabled, true)))
    .orderBy(webhooks.id)
    // A webhook that is removed at this moment must not fail the caller, whose rows are about to name it.
    .for("key share");
  const now = new Date();
  const rows = events.flatMap(({ workspaceId, event, turnId, callbackUrl, payload }) => {
    const row = { workspaceId, event, turnId: turnId ?? null, payload: storableObject(payload), nextAttemptAt: now };
    const wanting = subscribers.filter((webhook) => webhook.workspaceId === workspaceId && webhook.events.includes(event));
    return [
      ...(callbackUrl ? [{ ...row, webhookId: null, url: callbackUrl }] : []),
      ...wanting.map(({ id, url }) => ({ ...row, webhookId: id, url })),
    ];
  });
  if (rows.length === 0) return;
  await tx.insert(webhookDeliveries).values(rows);
  await wakeDeliveries(tx);
}

/** Tells the workers on commit that something is due. Without a queue they find it a moment later by themselves. */
export async function wakeDeliveries(tx: Db): Promise<void> {
  if (hasQueue()) await queue().send(tx, "deliver_webhooks", {});
}

const wantedEvents = versionedCache("webhooks.wanted", async (workspaceId) => {
  const rows = await db()
    .select({ events: webhooks.events })
    .from(webhooks)
    .where(and(eq(webhooks.workspaceId, workspaceId), eq(webhooks.enabled, true)));
  return new Set<WebhookEventName>(rows.flatMap(({ events }) => events));
});

/**
 * Whether any webhook of the workspace wants an event, from memory.
 * @param configVersion of the workspace, where the caller has just read it
 */
export async function wantsWebhooks(workspaceId: string, event: SubscribedEventName, configVersion?: number): Promise<boolean> {
  return (await wantedEvents(workspaceId, configVersion)).has(event);
}
