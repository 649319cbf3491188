import { webhookEndpoints } from "@/contracts/webhooks";
import { listDeliveries } from "@/server/families/webhooks/list-deliveries";
import { route } from "@/server/http/route";

export const GET = route(webhookEndpoints.listDeliveries, ({ actor, query }) => listDeliveries(actor, query));
