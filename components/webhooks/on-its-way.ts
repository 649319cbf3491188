import type { WebhookDelivery } from "@/contracts/webhooks";

export type Tries = Pick<WebhookDelivery, "status" | "attempts" | "lastStatus" | "lastError">;

/** Whether nothing is known of any try yet: it waits for its first one, or that is under way. */
export function isOnItsWay({ status, lastStatus, lastError }: Tries): boolean {
  return status === "pending" && lastStatus === null && lastError === null;
}
