import "server-only";
import { eq, sql } from "drizzle-orm";
import type { WebhookWithSecret } from "@/contracts/webhooks";
import { webhooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { findLastDelivery, lockWebhook } from "./find-webhook";
import { presentWebhook } from "./present-webhook";
import { createWebhookSecret } from "./webhook-secret";

/**
 * Gives a webhook a new secret, which signs every later try, including retries.
 * @throws AppError `not_found`
 */
export async function rotateWebhookSecret(actor: Authorized<"hooks:write">, webhookId: string): Promise<WebhookWithSecret> {
  const secret = createWebhookSecret();
  return db().transaction(async (tx) => {
    const { name } = await lockWebhook(tx, actor.workspaceId, webhookId, null);
    const [webhook] = await tx
      .update(webhooks)
      .set({ secret: seal(secret), version: sql`${webhooks.version} + 1` })
      .where(eq(webhooks.id, webhookId))
      .returning();
    if (!webhook) throw new Error("A locked webhook was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "webhook.secret_rotated",
      actor: toActorRef(actor),
      subject: webhookId,
      data: { name },
      requestId: actor.requestId,
    });
    return { ...presentWebhook(webhook, await findLastDelivery(tx, webhookId)), secret };
  });
}
