import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { redeliver } from "@/server/webhooks/redeliver";

export const POST = route(webhookEndpoints.redeliver, ({ actor, params }) => redeliver(actor, params.id));
