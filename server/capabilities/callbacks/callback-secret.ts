import "server-only";
import { createHmac } from "node:crypto";
import { derivedKey } from "@/server/platform/crypto";

/**
 * Returns the secret that signs the callbacks to the `callbackUrl` of a workspace's turns. The secret is derived, because
 * no row could store it; it changes only with HANDRAIL_SECRET_KEY.
 */
export function callbackSecretOf(workspaceId: string): string {
  return `whsec_${createHmac("sha256", derivedKey("callback-urls")).update(workspaceId).digest("base64url")}`;
}
