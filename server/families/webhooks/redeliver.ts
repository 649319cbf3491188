import "server-only";
import { and, eq } from "drizzle-orm";
import type { WebhookDelivery } from "@/contracts/webhooks";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { enqueue } from "@/server/platform/queue";
import { sharedNow } from "@/server/platform/shared-clock";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";
import { missingDelivery } from "./missing-delivery";
import { presentDelivery } from "./present-delivery";

/**
 * Sends a delivery again from its first try, in any state. The id stays the same, so that a receiver recognises a
 * repetition. The outcomes of earlier tries stay in the audit.
 * @throws AppError `not_found`
 */
export async function redeliver(actor: Authorized<"hooks:write">, deliveryId: string): Promise<WebhookDelivery> {
  const ours = and(eq(webhookDeliveries.workspaceId, actor.workspaceId), eq(webhookDeliveries.id, deliveryId));
  return db().transaction(async (tx) => {
    const [before] = await tx.select().from(webhookDeliveries).where(ours).for("update");
    if (!before) throw missingDelivery();
    const [delivery] = await tx
      .update(webhookDeliveries)
      .set({
        status: "pending",
        attempts: 0,
        nextAttemptAt: sharedNow(),
        lastStatus: null,
        lastError: null,
        lastAttemptAt: null,
        deliveredAt: null,
      })
      .where(ours)
      .returning();
    if (!delivery) throw new Error("A locked delivery was not updated");
    const [webhook] = before.webhookId
      ? await tx.select({ name: webhooks.name }).from(webhooks).where(eq(webhooks.id, before.webhookId))
      : [];
    await record(tx, {
      workspaceId: actor.workspaceId,
      event: "webhook.redelivered",
      actor: toActorRef(actor),
      subject: deliveryId,
      turnId: before.turnId,
      data: {
        ...(webhook ? { name: webhook.name } : {}),
        event: before.event,
        before: { status: before.status, attempts: before.attempts, lastStatus: before.lastStatus, lastError: before.lastError },
      },
      requestId: actor.requestId,
    });
    const { workspaceId } = actor;
    await enqueue(tx, deliveryQueue, [{ workspaceId, input: { deliveryId, attempt: 1 }, group: groupOfAddress(delivery.url) }]);
    return presentDelivery(delivery);
  });
}
