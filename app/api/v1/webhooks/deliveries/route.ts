import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { listDeliveries } from "@/server/webhooks/list-deliveries";

export const GET = route(webhookEndpoints.listDeliveries, ({ actor, query }) => listDeliveries(actor, query));
