import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import type { DeliveryFilter, WebhookDelivery, WebhookDeliveryStory } from "@/contracts/hooks/webhooks";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { record } from "@/server/audit/record";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { enqueue } from "@/server/platform/queue";
import { deliveryQueue, groupOfAddress } from "./delivery-queue";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
type Reader = Authorized<"hooks:write">;

const ofWorkspace = (workspaceId: string, id: string) => and(eq(webhookDeliveries.workspaceId, workspaceId), eq(webhookDeliveries.id, id));

/** Lists deliveries, newest first (ids are UUIDv7, so their order is the order of queueing). */
export async function listDeliveries(
  actor: Reader,
  { limit = 50, cursor, ...filter }: DeliveryFilter & { limit?: number; cursor?: string } = {},
): Promise<{ items: WebhookDelivery[]; nextCursor: string | null }> {
  const found = await db()
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.workspaceId, actor.workspaceId),
        filter.webhookId ? eq(webhookDeliveries.webhookId, filter.webhookId) : undefined,
        filter.status ? eq(webhookDeliveries.status, filter.status) : undefined,
        filter.turnId ? eq(webhookDeliveries.turnId, filter.turnId) : undefined,
        cursor === undefined ? undefined : lt(webhookDeliveries.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return { items: rows.map(presentDelivery), nextCursor };
}

/** @throws AppError `not_found`. */
export async function getDelivery(actor: Reader, deliveryId: string): Promise<WebhookDeliveryStory> {
  const [row] = await db().select().from(webhookDeliveries).where(ofWorkspace(actor.workspaceId, deliveryId));
  if (!row) throw missingDelivery();
  return deliveryStory(row);
}

/** Returns a delivery together with its body. */
export const deliveryStory = (row: DeliveryRow): WebhookDeliveryStory => ({
  ...presentDelivery(row),
  body: deliveryBody(row),
});

/**
 * Sends a delivery again from its first try, in any state. The id stays the same, so that a receiver recognises a
 * repetition. The outcomes of earlier tries stay in the audit.
 * @throws AppError `not_found`
 */
export async function redeliver(actor: Reader, deliveryId: string): Promise<WebhookDelivery> {
  const ours = ofWorkspace(actor.workspaceId, deliveryId);
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

/** Converts a delivery's row to its public form; no other code does. */
export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    turnId: row.turnId,
    event: row.event,
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Builds the body: the event in an envelope with its name, time and workspace. Equal for each try. */
export function deliveryBody(row: DeliveryRow): JsonObject {
  return {
    id: row.id,
    event: row.event,
    createdAt: row.createdAt.toISOString(),
    workspaceId: row.workspaceId,
    turnId: row.turnId,
    data: row.payload,
  };
}

const missingDelivery = (): AppError =>
  new AppError("not_found", "This delivery does not exist. The log keeps 30 days; deliveries of a removed webhook are deleted.");
