import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { rotateWebhookSecret } from "@/server/webhooks/rotate-webhook-secret";

export const POST = route(webhookEndpoints.rotateSecret, ({ actor, params }) => rotateWebhookSecret(actor, params.id));
