import { webhookEndpoints } from "@/contracts/webhooks";
import { createWebhook } from "@/server/families/webhooks/create-webhook";
import { listWebhooks } from "@/server/families/webhooks/list-webhooks";
import { route } from "@/server/http/route";

export const GET = route(webhookEndpoints.list, ({ actor, query }) => listWebhooks(actor, query));

export const POST = route(webhookEndpoints.create, ({ actor, body }) => createWebhook(actor, body));
