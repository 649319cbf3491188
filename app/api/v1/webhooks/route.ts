import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { createWebhook } from "@/server/webhooks/create-webhook";
import { listWebhooks } from "@/server/webhooks/list-webhooks";

export const GET = route(webhookEndpoints.list, ({ actor, query }) => listWebhooks(actor, query));

export const POST = route(webhookEndpoints.create, ({ actor, body }) => createWebhook(actor, body));
