import type { WebhookDelivery } from "@/contracts/webhooks";

/** Returns in one line why the last try did not succeed; null for a delivery that arrived or was not tried yet. */
export function deliveryReason({ status, lastError }: Pick<WebhookDelivery, "status" | "lastError">): string | null {
  // Only plain white space is folded, because hidden characters must reach the view that spells them out.
  return status === "delivered" ? null : (lastError?.replace(/[ \t\r\n]+/g, " ") ?? null);
}
