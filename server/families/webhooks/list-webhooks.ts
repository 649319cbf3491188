import "server-only";
import { and, asc, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { Webhook } from "@/contracts/webhooks";
import { webhookDeliveries, webhooks } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/cursor";
import { db } from "@/server/platform/database";
import { presentDelivery } from "./present-delivery";
import { presentWebhook } from "./present-webhook";

/** Lists the webhooks of the actor's workspace in the order of their creation, each with its newest delivery. */
export async function listWebhooks(
  actor: Authorized<"hooks:write">,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ items: Webhook[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : gt(webhooks.id, decodeCursor(cursor, IdCursor)[0]);
  const newest = db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhooks.id))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .as("newest");
  const found = await db()
    .select({ webhook: getTableColumns(webhooks), delivery: newest._.selectedFields })
    .from(webhooks)
    .leftJoinLateral(newest, sql`true`)
    .where(and(eq(webhooks.workspaceId, actor.workspaceId), after))
    .orderBy(asc(webhooks.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ webhook }) => [webhook.id]);
  return {
    items: rows.map(({ webhook, delivery }) => presentWebhook(webhook, delivery ? presentDelivery(delivery) : null)),
    nextCursor,
  };
}
