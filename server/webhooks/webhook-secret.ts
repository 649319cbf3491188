import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { derivedKey } from "@/server/platform/crypto";

/** A new secret of a webhook: `whsec_` and 256 random bits. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/**
 * The secret that signs what is sent to the `callbackUrl` of turns of a workspace. A turn's address has no row to keep
 * one in, so it is derived: it changes only with HANDRAIL_SECRET_KEY.
 */
export function callbackSecretOf(workspaceId: string): string {
  return `whsec_${createHmac("sha256", derivedKey("callback-urls")).update(workspaceId).digest("base64url")}`;
}
