import { webhookEndpoints } from "@/contracts/webhooks";
import { route, versionMatched } from "@/server/http/route";
import { getWebhook } from "@/server/webhooks/get-webhook";
import { removeWebhook } from "@/server/webhooks/remove-webhook";
import { updateWebhook } from "@/server/webhooks/update-webhook";

export const GET = route(webhookEndpoints.get, ({ actor, params }) => getWebhook(actor, params.id));

export const PUT = route(webhookEndpoints.update, ({ actor, params, body, request }) =>
  updateWebhook(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(webhookEndpoints.remove, async ({ actor, params, request }) => {
  await removeWebhook(actor, params.id, versionMatched(request));
  return {};
});
