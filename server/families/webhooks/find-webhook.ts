import "server-only";
import { and, desc, eq } from "drizzle-orm";
import type { WebhookDelivery } from "@/contracts/webhooks";
import type { Db } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { presentDelivery } from "./present-delivery";

type WebhookRow = typeof webhooks.$inferSelect;

const ofWorkspace = (workspaceId: string, webhookId: string) => and(eq(webhooks.workspaceId, workspaceId), eq(webhooks.id, webhookId));

/** Loads a webhook of the workspace. @throws AppError `not_found`, also for a webhook of another workspace. */
export async function findWebhook(tx: Db, workspaceId: string, webhookId: string): Promise<WebhookRow> {
  const [webhook] = await tx.select().from(webhooks).where(ofWorkspace(workspaceId, webhookId));
  if (!webhook) throw missing();
  return webhook;
}

/**
 * Loads a webhook and locks its row until the transaction ends, for a change.
 * @param version from If-Match; null when the caller sent none
 * @throws AppError `not_found`, `stale_version`
 */
export async function lockWebhook(tx: Db, workspaceId: string, webhookId: string, version: number | null): Promise<WebhookRow> {
  const [webhook] = await tx.select().from(webhooks).where(ofWorkspace(workspaceId, webhookId)).for("update");
  if (!webhook) throw missing();
  if (version !== null && version !== webhook.version) {
    throw new AppError(
      "stale_version",
      `The webhook "${webhook.name}" was changed by somebody else meanwhile. Reload the webhook, then repeat your change.`,
    );
  }
  return webhook;
}

/** Returns the newest delivery of a webhook; null when the log has none. */
export async function findLastDelivery(tx: Db, webhookId: string): Promise<WebhookDelivery | null> {
  const [delivery] = await tx
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1);
  return delivery ? presentDelivery(delivery) : null;
}

const missing = () => new AppError("not_found", "This webhook does not exist. It may have been removed; list the webhooks.");
