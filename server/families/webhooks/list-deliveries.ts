import "server-only";
import { and, desc, eq, lt } from "drizzle-orm";
import type { DeliveryFilter, WebhookDelivery } from "@/contracts/webhooks";
import { webhookDeliveries } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { presentDelivery } from "./present-delivery";

/** Lists deliveries, newest first (ids are UUIDv7, so their order is the order of queueing). */
export async function listDeliveries(
  actor: Authorized<"hooks:write">,
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
