import { type SubscribedEventName, subscribedEventNames, type WebhookEventName } from "@/contracts/webhooks";

/** Each event as people say it. */
export const eventWords: Record<WebhookEventName, string> = {
  "turn.finished": "Turn finished",
  "turn.suspended": "Turn waits",
  "approval.requested": "Approval requested",
  "approval.decided": "Approval decided",
  "job.finished": "Job finished",
  "webhook.tested": "Test",
};

const explanations: Record<SubscribedEventName, string> = {
  "turn.finished": "Every call of a turn has its result",
  "turn.suspended": "A turn waits for a person's answer",
  "approval.requested": "Somebody is asked about a call",
  "approval.decided": "A question was answered, or its time ran out",
  "job.finished": "A call in the background has its result",
};

/** What a webhook may ask for, with what each means. */
export const eventChoices = subscribedEventNames.map((event) => ({
  event,
  label: eventWords[event],
  explanation: explanations[event],
}));
