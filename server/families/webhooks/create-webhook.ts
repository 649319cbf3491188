import "server-only";
import type { WebhookDraft, WebhookWithSecret } from "@/contracts/webhooks";
import { webhooks } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { demandReachableAddress } from "@/server/capabilities/callbacks/demand-reachable-address";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { presentWebhook } from "./present-webhook";
import { settingsInAudit } from "./settings-in-audit";
import { createWebhookSecret } from "./webhook-secret";

/**
 * Adds a webhook; only this response contains its secret.
 * @throws AppError `conflict` for a taken name, `invalid` for a private address
 */
export async function createWebhook(actor: Authorized<"hooks:write">, draft: WebhookDraft): Promise<WebhookWithSecret> {
  demandReachableAddress(draft.url, "url");
  const secret = createWebhookSecret();
  const settings = { ...draft, events: [...new Set(draft.events)] };
  return db().transaction(async (tx) => {
    const [webhook] = await tx
      .insert(webhooks)
      .values({ ...settings, secret: seal(secret), workspaceId: actor.workspaceId })
      .onConflictDoNothing({ target: [webhooks.workspaceId, webhooks.name] })
      .returning();
    if (!webhook) throw new AppError("conflict", `A webhook named "${draft.name}" exists already. Choose another name.`);
    await recordConfigChange(tx, {
      workspaceId: actor.workspaceId,
      event: "webhook.created",
      actor: toActorRef(actor),
      subject: webhook.id,
      data: settingsInAudit(webhook),
      requestId: actor.requestId,
    });
    return { ...presentWebhook(webhook, null), secret };
  });
}
