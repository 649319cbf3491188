import { subscribedEventNames, type WebhookEventName } from "@/contracts/browser/hooks/webhooks";
import { subscribedEventWords } from "@/contracts/generated";

/** Returns the label of an event. */
export function eventLabel(event: WebhookEventName): string {
  return event === "webhook.tested" ? "Test" : subscribedEventWords[event].label;
}

/** Subscribable events, each with its explanation. */
export const eventChoices = subscribedEventNames.map((event) => ({ event, ...subscribedEventWords[event] }));
