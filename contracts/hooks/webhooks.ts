import { z } from "zod";
import { Empty, Id, JsonObject, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { subscribedEventWords } from "../generated";

export type SubscribedEventName = keyof typeof subscribedEventWords;
/** Events that a webhook of the workspace may subscribe to. */
export const subscribedEventNames = Object.keys(subscribedEventWords) as [SubscribedEventName, ...SubscribedEventName[]];

/** All delivered events: the subscribable ones, and the test that a person sends. */
export const webhookEventNames = [...subscribedEventNames, "webhook.tested"] as const;
export type WebhookEventName = (typeof webhookEventNames)[number];

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Address that receives events: http or https, without credentials. */
export const CallbackUrl = z
  .string()
  .trim()
  .max(2_000, "at most 2,000 characters")
  .refine(isHttpAddress, "must be an http or https address, such as https://example.com/hooks")
  .refine(holdsNoCredentials, "must not hold a user name or password: each delivery is signed instead")
  .describe("An http or https address without credentials. Redirects are not followed.");

function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function holdsNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return !url || (url.username === "" && url.password === "");
}

const name = z.string().trim().min(1, "needs a name").max(100, "at most 100 characters");
const events = z.array(z.enum(subscribedEventNames));

export const WebhookDraft = z
  .strictObject({
    name,
    url: CallbackUrl,
    events: events.min(1, "choose at least one event").max(subscribedEventNames.length),
    enabled: z.boolean().default(true).describe("Off: nothing is sent, and what waits for another try fails."),
  })
  .meta({ examples: [{ name: "Support desk", url: "https://example.com/hooks/handrail", events: ["turn.finished"] }] });
export type WebhookDraft = z.infer<typeof WebhookDraft>;

export const WebhookDelivery = z
  .object({
    id: Id.describe("Sent as `Handrail-Delivery`, the same at each try: receivers recognise repetitions by it."),
    webhookId: Id.nullable().describe("Null: the `callbackUrl` of a turn."),
    turnId: Id.nullable(),
    event: z.enum(webhookEventNames),
    url: z.string().describe("Where the last try went, or the next one goes."),
    status: z.enum(deliveryStatuses),
    attempts: z.number().int().describe("Tries since it was queued or redelivered."),
    lastStatus: z.number().int().nullable().describe("HTTP status of the last answer; null when there was none."),
    lastError: z.string().nullable().describe("Why the last try did not succeed, with the beginning of the answer."),
    lastAttemptAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable().describe("Null unless it is pending."),
    deliveredAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryStory = WebhookDelivery.extend({ body: JsonObject.describe("What is sent, as JSON.") }).meta({
  id: "WebhookDeliveryStory",
});
export type WebhookDeliveryStory = z.infer<typeof WebhookDeliveryStory>;

export const Webhook = z
  .object({
    id: Id,
    name,
    url: z.string(),
    events,
    enabled: z.boolean(),
    lastDelivery: WebhookDelivery.nullable().describe("The newest delivery; null when there is none in the log."),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().describe("Signs the deliveries (`whsec_...`). It is shown here and never again."),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const CallbackSecret = z
  .object({ secret: z.string().describe("Signs what is sent to the `callbackUrl` of turns of this workspace (`whsec_...`).") })
  .meta({ id: "CallbackSecret" });
export type CallbackSecret = z.infer<typeof CallbackSecret>;

export const DeliveryFilter = z.object({
  webhookId: Id.optional(),
  status: z.enum(deliveryStatuses).optional(),
  turnId: Id.optional(),
});
export type DeliveryFilter = z.infer<typeof DeliveryFilter>;

const params = z.object({ id: Id });

/**
 * Reading needs `hooks:write` too: an address is often a secret of its receiver, and the bodies in the log hold results
 * that the audit masks.
 */
export const webhookEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/webhooks",
    summary: "Webhooks of the workspace, each with its newest delivery",
    permission: "hooks:write",
    query: z.object(pageQuery),
    response: listOf(Webhook),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/webhooks",
    summary: "Add a webhook; the answer holds its secret, once",
    permission: "hooks:write",
    body: WebhookDraft,
    response: WebhookWithSecret,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/webhooks/{id}",
    summary: "One webhook",
    permission: "hooks:write",
    params,
    response: Webhook,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/webhooks/{id}",
    summary: "Replace a webhook's settings; its secret stays",
    headers: ["If-Match"],
    permission: "hooks:write",
    params,
    body: WebhookDraft,
    response: Webhook,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    summary: "Remove a webhook with its deliveries",
    headers: ["If-Match"],
    permission: "hooks:write",
    params,
    response: Empty,
  }),
  test: endpoint({
    method: "POST",
    path: "/api/v1/webhooks/{id}/test",
    summary: "Send a signed `webhook.tested` now, once, and answer what came of it",
    permission: "hooks:write",
    params,
    response: WebhookDeliveryStory,
  }),
  rotateSecret: endpoint({
    method: "POST",
    path: "/api/v1/webhooks/{id}/rotate-secret",
    summary: "Give a webhook another secret, which signs from the next try on; the answer holds it, once",
    permission: "hooks:write",
    params,
    response: WebhookWithSecret,
  }),
  callbackSecret: endpoint({
    method: "GET",
    path: "/api/v1/webhooks/callback-secret",
    summary: "The secret that signs what is sent to the `callbackUrl` of turns",
    permission: "hooks:write",
    response: CallbackSecret,
  }),
  listDeliveries: endpoint({
    method: "GET",
    path: "/api/v1/webhooks/deliveries",
    summary: "Deliveries of the last 30 days, newest first",
    permission: "hooks:write",
    query: DeliveryFilter.extend(pageQuery),
    response: listOf(WebhookDelivery),
  }),
  getDelivery: endpoint({
    method: "GET",
    path: "/api/v1/webhooks/deliveries/{id}",
    summary: "One delivery with what is sent",
    permission: "hooks:write",
    params,
    response: WebhookDeliveryStory,
  }),
  redeliver: endpoint({
    method: "POST",
    path: "/api/v1/webhooks/deliveries/{id}/redeliver",
    summary: "Send a delivery again, under the same id, with a day of tries before it",
    permission: "hooks:write",
    params,
    response: WebhookDelivery,
  }),
};

export const webhookContract = defineContract({
  reference: { name: "Webhooks", description: "Events sent to addresses of yours, signed, and the log of what became of them." },
  glossary: {
    delivery: "One event sent to one webhook, with its attempts.",
    webhook: "An address of the workspace that receives signed events.",
  },
  endpoints: webhookEndpoints,
  audit: {
    "webhook.created": "Webhook created",
    "webhook.updated": "Webhook updated",
    "webhook.removed": "Webhook removed",
    "webhook.secret_rotated": "Webhook secret rotated",
    "webhook.redelivered": "Delivery sent again",
    "webhook.delivery_failed": "Delivery failed",
  },
  navigation: { label: "Webhooks", path: "/webhooks", icon: "IconWebhook", key: "w", group: "connections", after: "/topics" },
});
