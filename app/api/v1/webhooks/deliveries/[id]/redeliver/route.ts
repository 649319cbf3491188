import { webhookEndpoints } from "@/contracts/webhooks";
import { redeliver } from "@/server/families/webhooks/redeliver";
import { route } from "@/server/http/route";

export const POST = route(webhookEndpoints.redeliver, ({ actor, params }) => redeliver(actor, params.id));
