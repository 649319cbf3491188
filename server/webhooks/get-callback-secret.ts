import "server-only";
import type { CallbackSecret } from "@/contracts/webhooks";
import type { Holder } from "@/server/auth/actor";
import { callbackSecretOf } from "./webhook-secret";

/** The secret that receivers of `callbackUrl` deliveries of this workspace check signatures with. */
export async function getCallbackSecret(actor: Holder<"hooks:write">): Promise<CallbackSecret> {
  return { secret: callbackSecretOf(actor.workspaceId) };
}
