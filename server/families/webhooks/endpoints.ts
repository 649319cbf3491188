import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";
import { answer } from "@/server/endpoints/answer";
import { getDelivery, listDeliveries, redeliver } from "./deliveries";
import { testWebhook } from "./test-webhook";
import { createWebhook, rotateWebhookSecret, webhooks } from "./webhooks";

export const webhookAnswers = answer(webhookEndpoints, {
  list: webhooks.list,
  create: createWebhook,
  get: webhooks.get,
  update: webhooks.update,
  remove: webhooks.remove,
  test: ({ actor, params }) => testWebhook(actor, params.id),
  rotateSecret: rotateWebhookSecret,
  callbackSecret: async ({ actor }) => ({ secret: callbackSecretOf(actor.workspaceId) }),
  listDeliveries: ({ actor, query }) => listDeliveries(actor, query),
  getDelivery: ({ actor, params }) => getDelivery(actor, params.id),
  redeliver: ({ actor, params }) => redeliver(actor, params.id),
});
