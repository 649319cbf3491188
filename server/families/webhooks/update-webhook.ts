import "server-only";
import { eq, sql } from "drizzle-orm";
import type { Webhook, WebhookDraft } from "@/contracts/webhooks";
import { webhooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { demandReachableAddress } from "@/server/capabilities/callbacks/demand-reachable-address";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { isUniqueViolation } from "@/server/platform/sql-state";
import { findLastDelivery, lockWebhook } from "./find-webhook";
import { presentWebhook } from "./present-webhook";
import { settingsInAudit } from "./settings-in-audit";

/**
 * Replaces a webhook's settings. Pending deliveries go to the new address.
 * @param version from If-Match
 * @throws AppError `not_found`, `stale_version`, `conflict` for a name that is taken, `invalid` for a private address
 */
export async function updateWebhook(
  actor: Authorized<"hooks:write">,
  webhookId: string,
  draft: WebhookDraft,
  version: number | null,
): Promise<Webhook> {
  const change = db().transaction(async (tx) => {
    const before = await lockWebhook(tx, actor.workspaceId, webhookId, version);
    demandReachableAddress(draft.url, "url");
    const [webhook] = await tx
      .update(webhooks)
      .set({ ...draft, events: [...new Set(draft.events)], version: sql`${webhooks.version} + 1` })
      .where(eq(webhooks.id, webhookId))
      .returning();
    if (!webhook) throw new Error("A locked webhook was not updated");
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "webhook.updated",
      actor: toActorRef(actor),
      subject: webhookId,
      data: { ...settingsInAudit(webhook), addressChanged: webhook.url !== before.url, before: settingsInAudit(before) },
      requestId: actor.requestId,
    });
    return presentWebhook(webhook, await findLastDelivery(tx, webhookId));
  });
  return change.catch((error: unknown) => {
    if (isUniqueViolation(error)) throw new AppError("conflict", `A webhook named "${draft.name}" exists already. Choose another name.`);
    throw error;
  });
}
