import { webhookEndpoints } from "@/contracts/webhooks";
import { getWebhook } from "@/server/families/webhooks/get-webhook";
import { removeWebhook } from "@/server/families/webhooks/remove-webhook";
import { updateWebhook } from "@/server/families/webhooks/update-webhook";
import { route, versionMatched } from "@/server/http/route";

export const GET = route(webhookEndpoints.get, ({ actor, params }) => getWebhook(actor, params.id));

export const PUT = route(webhookEndpoints.update, ({ actor, params, body, request }) =>
  updateWebhook(actor, params.id, body, versionMatched(request)),
);

export const DELETE = route(webhookEndpoints.remove, async ({ actor, params, request }) => {
  await removeWebhook(actor, params.id, versionMatched(request));
  return {};
});
