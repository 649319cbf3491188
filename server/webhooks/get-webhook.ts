import "server-only";
import type { Webhook } from "@/contracts/webhooks";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { findWebhook, lastDeliveryOf } from "./find-webhook";
import { presentWebhook } from "./present-webhook";

/** @throws AppError `not_found`. */
export async function getWebhook(actor: Holder<"hooks:write">, webhookId: string): Promise<Webhook> {
  const webhook = await findWebhook(db(), actor.workspaceId, webhookId);
  return presentWebhook(webhook, await lastDeliveryOf(db(), webhookId));
}
