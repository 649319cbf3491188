import { webhookEndpoints } from "@/contracts/webhooks";
import { route } from "@/server/http/route";
import { getCallbackSecret } from "@/server/webhooks/get-callback-secret";

export const GET = route(webhookEndpoints.callbackSecret, ({ actor }) => getCallbackSecret(actor));
