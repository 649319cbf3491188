import "server-only";
import { and, eq } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { record } from "@/server/audit/record";
import { systemActor } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { enqueue } from "@/server/platform/queue";
import type { DeliveryRow } from "./deliveries";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";
import { retryDelayMs } from "./retry-delay";
import type { Answered } from "./send-delivery";

type Change = Partial<typeof webhookDeliveries.$inferInsert>;

/**
 * Records the outcome of a try: delivered, pending (the next try is queued in the same transaction), or failed (recorded
 * in the audit). Does nothing when the row no longer matches the claim, because the delivery was redelivered or its try
 * repeated.
 */
export async function concludeDelivery(
  claimed: DeliveryRow,
  answered: Answered,
  { url, now, random = Math.random() }: { url: string; now: Date; random?: number },
): Promise<void> {
  const change: Change = { url, lastStatus: answered.status, ...outcomeOf(claimed, answered, now, random) };
  await db().transaction(async (tx) => {
    const [concluded] = await tx
      .update(webhookDeliveries)
      .set(change)
      .where(
        and(
          eq(webhookDeliveries.id, claimed.id),
          eq(webhookDeliveries.status, "pending"),
          eq(webhookDeliveries.attempts, claimed.attempts),
          claimed.lastAttemptAt ? eq(webhookDeliveries.lastAttemptAt, claimed.lastAttemptAt) : undefined,
        ),
      )
      .returning();
    if (concluded?.status === "pending" && concluded.nextAttemptAt) {
      const { id, workspaceId, attempts, nextAttemptAt } = concluded;
      const input = { deliveryId: id, attempt: attempts + 1 };
      await enqueue(tx, deliveryQueue, [{ workspaceId, input, startAfter: nextAttemptAt, group: groupOfAddress(url) }]);
    }
    // The sender of a test sees its outcome directly, so the audit does not record it.
    if (concluded?.status !== "failed" || concluded.event === "webhook.tested") return;
    const [webhook] = concluded.webhookId
      ? await tx.select({ name: webhooks.name }).from(webhooks).where(eq(webhooks.id, concluded.webhookId))
      : [];
    await record(tx, {
      workspaceId: concluded.workspaceId,
      event: "webhook.delivery_failed",
      actor: systemActor,
      subject: concluded.id,
      turnId: concluded.turnId,
      data: {
        ...(webhook ? { name: webhook.name } : {}),
        webhookId: concluded.webhookId,
        event: concluded.event,
        host: URL.parse(concluded.url)?.host ?? null,
        attempts: concluded.attempts,
        lastStatus: concluded.lastStatus,
        lastError: concluded.lastError,
      },
    });
  });
}

function outcomeOf(claimed: DeliveryRow, answered: Answered, now: Date, random: number): Change {
  if (answered.kind === "taken") return { status: "delivered", deliveredAt: now, lastError: null, nextAttemptAt: null };
  const isFinal = answered.kind === "refused" || claimed.event === "webhook.tested";
  const delay = isFinal ? null : retryDelayMs(claimed.attempts, random);
  if (delay === null) return { status: "failed", lastError: answered.error, nextAttemptAt: null };
  return { lastError: answered.error, nextAttemptAt: new Date(now.getTime() + delay) };
}
