import { webhookEndpoints } from "@/contracts/webhooks";
import { getCallbackSecret } from "@/server/families/webhooks/get-callback-secret";
import { route } from "@/server/http/route";

export const GET = route(webhookEndpoints.callbackSecret, ({ actor }) => getCallbackSecret(actor));
