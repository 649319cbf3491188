import { workEndpoints } from "@/contracts/operations/work";
import { answer } from "@/server/endpoints/answer";
import { listFailedItems } from "@/server/jobs/list-failed-items";
import { listWorkQueues } from "@/server/jobs/list-work-queues";
import { discardFailedItem, retryFailedItem } from "@/server/jobs/settle-failed-item";

export const workAnswers = answer(workEndpoints, {
  queues: ({ actor }) => listWorkQueues(actor),
  failed: ({ actor }) => listFailedItems(actor),
  retry: ({ actor, params }) => retryFailedItem(actor, params.id),
  discard: ({ actor, params }) => discardFailedItem(actor, params.id),
});
