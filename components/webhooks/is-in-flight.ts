import type { WebhookDelivery } from "@/contracts/webhooks";

export type Tries = Pick<WebhookDelivery, "status" | "attempts" | "lastStatus" | "lastError">;

/** Returns whether a delivery has no result yet: its first attempt is pending or running. */
export function isInFlight({ status, lastStatus, lastError }: Tries): boolean {
  return status === "pending" && lastStatus === null && lastError === null;
}
