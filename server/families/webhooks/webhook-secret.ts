import "server-only";
import { randomBytes } from "node:crypto";

/** Creates a webhook's secret: `whsec_` and 256 random bits. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}
