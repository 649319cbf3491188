import { webhookEndpoints } from "@/contracts/webhooks";
import { testWebhook } from "@/server/families/webhooks/test-webhook";
import { route } from "@/server/http/route";

export const POST = route(webhookEndpoints.test, ({ actor, params }) => testWebhook(actor, params.id));
