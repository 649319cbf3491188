import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { testWebhook } from "@/server/webhooks/test-webhook";

export const POST = route(webhookEndpoints.test, ({ actor, params }) => testWebhook(actor, params.id));
