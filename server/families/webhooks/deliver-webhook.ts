import "server-only";
import { callbackHttp } from "@/server/capabilities/callbacks/callback-http";
import type { HttpCapability } from "@/server/capabilities/http";
import { sharedNow } from "@/server/platform/shared-clock";
import { claimDelivery, type Try } from "./claim-delivery";
import { tryDelivery } from "./try-delivery";

/** Makes one try of a delivery; the next try is queued with its outcome. */
export async function deliverWebhook(
  due: Try,
  { http = callbackHttp(), now = sharedNow }: { http?: HttpCapability; now?: () => Date } = {},
): Promise<void> {
  const claimed = await claimDelivery(due, now());
  if (claimed) await tryDelivery(claimed, http, now);
}
