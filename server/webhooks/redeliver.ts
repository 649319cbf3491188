import "server-only";
import { and, eq } from "drizzle-orm";
import type { WebhookDelivery } from "@/contracts/webhooks";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Holder, refOf } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { missingDelivery } from "./missing-delivery";
import { presentDelivery } from "./present-delivery";
import { wakeDeliveries } from "./queue-deliveries";

/**
 * Sends a delivery again from the start, whatever became of it, under its own id: a receiver that took it already can
 * tell. What its tries came to stays in the audit.
 * @throws AppError `not_found`
 */
export async function redeliver(actor: Holder<"hooks:write">, deliveryId: string): Promise<WebhookDelivery> {
  const ours = and(eq(webhookDeliveries.workspaceId, actor.workspaceId), eq(webhookDeliveries.id, deliveryId));
  return db().transaction(async (tx) => {
    const [before] = await tx.select().from(webhookDeliveries).where(ours).for("update");
    if (!before) throw missingDelivery();
    const [delivery] = await tx
      .update(webhookDeliveries)
      .set({
        status: "pending",
        attempts: 0,
        nextAttemptAt: new Date(),
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
      actor: refOf(actor),
      subject: deliveryId,
      turnId: before.turnId,
      data: {
        ...(webhook ? { name: webhook.name } : {}),
        event: before.event,
        before: { status: before.status, attempts: before.attempts, lastStatus: before.lastStatus, lastError: before.lastError },
      },
      requestId: actor.requestId,
    });
    await wakeDeliveries(tx);
    return presentDelivery(delivery);
  });
}
