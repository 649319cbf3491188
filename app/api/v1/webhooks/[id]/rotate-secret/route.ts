import { webhookEndpoints } from "@/contracts/webhooks";
import { rotateWebhookSecret } from "@/server/families/webhooks/rotate-webhook-secret";
import { route } from "@/server/http/route";

export const POST = route(webhookEndpoints.rotateSecret, ({ actor, params }) => rotateWebhookSecret(actor, params.id));
