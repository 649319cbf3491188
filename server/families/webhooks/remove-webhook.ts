import "server-only";
import { eq } from "drizzle-orm";
import { webhooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { lockWebhook } from "./find-webhook";
import { settingsInAudit } from "./settings-in-audit";

/**
 * Removes a webhook with its deliveries, including pending ones.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`
 */
export async function removeWebhook(actor: Authorized<"hooks:write">, webhookId: string, version: number | null): Promise<void> {
  await db().transaction(async (tx) => {
    const webhook = await lockWebhook(tx, actor.workspaceId, webhookId, version);
    await tx.delete(webhooks).where(eq(webhooks.id, webhookId));
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "webhook.removed",
      actor: toActorRef(actor),
      subject: webhookId,
      data: settingsInAudit(webhook),
      requestId: actor.requestId,
    });
  });
}
