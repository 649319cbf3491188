import { webhookEndpoints } from "@/contracts/webhooks";
import { getDelivery } from "@/server/families/webhooks/get-delivery";
import { route } from "@/server/http/route";

export const GET = route(webhookEndpoints.getDelivery, ({ actor, params }) => getDelivery(actor, params.id));
