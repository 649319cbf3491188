import "server-only";
import type { CallbackSecret } from "@/contracts/webhooks";
import type { Authorized } from "@/server/auth/actor";
import { callbackSecretOf } from "@/server/capabilities/callbacks/callback-secret";

/** Returns the secret with which receivers of this workspace's `callbackUrl` deliveries verify signatures. */
export async function getCallbackSecret(actor: Authorized<"hooks:write">): Promise<CallbackSecret> {
  return { secret: callbackSecretOf(actor.workspaceId) };
}
