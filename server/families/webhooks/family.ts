import { handled } from "@/server/jobs/run-queue";
import { defineFamily } from "../define-family";
import { deliveryQueue } from "./delivery-queue";
import { webhookAnswers } from "./endpoints";
import { environment } from "./environment";
import { findLostDeliveries, removeOldDeliveries } from "./keep-deliveries";
import { queueDeliveries, wantsWebhooks } from "./queue-deliveries";
import { deliverWebhook } from "./try-delivery";

export const webhooksFamily = defineFamily({
  name: "webhooks",
  endpoints: webhookAnswers,
  environment,
  subscriber: { queue: queueDeliveries, isWanted: wantsWebhooks },
  queues: [handled(deliveryQueue, (due, { number }) => deliverWebhook({ ...due, lostBefore: number - 1 }))],
  removeOldRows: [removeOldDeliveries],
  findLostWork: [findLostDeliveries],
});
