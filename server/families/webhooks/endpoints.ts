import { webhookEndpoints } from "@/contracts/webhooks";
import { answer } from "@/server/endpoints/answer";
import { createWebhook } from "./create-webhook";
import { getCallbackSecret } from "./get-callback-secret";
import { getDelivery } from "./get-delivery";
import { getWebhook } from "./get-webhook";
import { listDeliveries } from "./list-deliveries";
import { listWebhooks } from "./list-webhooks";
import { redeliver } from "./redeliver";
import { removeWebhook } from "./remove-webhook";
import { rotateWebhookSecret } from "./rotate-webhook-secret";
import { testWebhook } from "./test-webhook";
import { updateWebhook } from "./update-webhook";

export const webhookAnswers = answer(webhookEndpoints, {
  list: ({ actor, query }) => listWebhooks(actor, query),
  create: ({ actor, body }) => createWebhook(actor, body),
  get: ({ actor, params }) => getWebhook(actor, params.id),
  update: ({ actor, params, body, version }) => updateWebhook(actor, params.id, body, version),
  remove: ({ actor, params, version }) => removeWebhook(actor, params.id, version),
  test: ({ actor, params }) => testWebhook(actor, params.id),
  rotateSecret: ({ actor, params }) => rotateWebhookSecret(actor, params.id),
  callbackSecret: ({ actor }) => getCallbackSecret(actor),
  listDeliveries: ({ actor, query }) => listDeliveries(actor, query),
  getDelivery: ({ actor, params }) => getDelivery(actor, params.id),
  redeliver: ({ actor, params }) => redeliver(actor, params.id),
});
