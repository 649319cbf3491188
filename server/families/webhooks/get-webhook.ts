import "server-only";
import type { Webhook } from "@/contracts/webhooks";
import type { Authorized } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { findLastDelivery, findWebhook } from "./find-webhook";
import { presentWebhook } from "./present-webhook";

/** @throws AppError `not_found`. */
export async function getWebhook(actor: Authorized<"hooks:write">, webhookId: string): Promise<Webhook> {
  const webhook = await findWebhook(db(), actor.workspaceId, webhookId);
  return presentWebhook(webhook, await findLastDelivery(db(), webhookId));
}
