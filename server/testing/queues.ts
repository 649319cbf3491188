import { deliveryQueue as channelQueue } from "@/server/families/channels/delivery-queue";
import { scheduledRunQueue, scheduleQueue } from "@/server/families/schedules/schedule-queue";
import { recurringQueue } from "@/server/families/todos/recurring-todos";
import { deliveryQueue } from "@/server/families/webhooks/delivery-queue";
import { advanceQueue, stepQueue } from "@/server/families/workflows/workflow-queues";
import { coreQueues } from "@/server/jobs/core-queues";
import type { Queue } from "@/server/platform/queue";

/** All queues of the product, including those of families. */
export const queues = [
  deliveryQueue as unknown as Queue,
  scheduleQueue as unknown as Queue,
  scheduledRunQueue as unknown as Queue,
  recurringQueue as unknown as Queue,
  channelQueue as unknown as Queue,
  advanceQueue as unknown as Queue,
  stepQueue as unknown as Queue,
  ...coreQueues,
];
