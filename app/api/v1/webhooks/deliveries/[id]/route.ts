import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { getDelivery } from "@/server/webhooks/get-delivery";

export const GET = route(webhookEndpoints.getDelivery, ({ actor, params }) => getDelivery(actor, params.id));
