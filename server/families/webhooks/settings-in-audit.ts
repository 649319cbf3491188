import type { JsonObject } from "@/contracts/common";
import type { WebhookEventName } from "@/contracts/webhooks";

type Settings = { name: string; url: string; events: WebhookEventName[]; enabled: boolean };

/** Returns the audit's form of a webhook: without the whole address, whose path is often a secret of its receiver. */
export function settingsInAudit({ name, url, events, enabled }: Settings): JsonObject {
  return { name, host: URL.parse(url)?.host ?? null, events, enabled };
}
