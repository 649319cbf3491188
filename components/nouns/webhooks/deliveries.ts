import type { WebhookDelivery } from "@/contracts/hooks/webhooks";

export type Tries = Pick<WebhookDelivery, "status" | "attempts" | "lastStatus" | "lastError">;

/** Returns whether a delivery has no result yet: its first attempt is pending or running. */
export function isInFlight({ status, lastStatus, lastError }: Tries): boolean {
  return status === "pending" && lastStatus === null && lastError === null;
}

/** Returns in one line why the last try did not succeed; null for a delivery that arrived or was not tried yet. */
export function deliveryReason({ status, lastError }: Pick<WebhookDelivery, "status" | "lastError">): string | null {
  // Only plain white space is folded, because hidden characters must reach the view that spells them out.
  return status === "delivered" ? null : (lastError?.replace(/[ \t\r\n]+/g, " ") ?? null);
}
