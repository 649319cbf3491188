export const webhookEventNames = ["turn.finished", "turn.suspended", "approval.requested", "approval.decided", "job.finished"] as const;
export type WebhookEventName = (typeof webhookEventNames)[number];

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
