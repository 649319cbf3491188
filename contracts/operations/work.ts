import { z } from "zod";
import { Empty, Id, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { workQueueWords } from "../generated-work";

export type WorkQueueName = keyof typeof workQueueWords;
/** Kinds of durable work. */
export const workQueueNames = Object.keys(workQueueWords) as [WorkQueueName, ...WorkQueueName[]];

export const WorkQueue = z
  .object({
    name: z.enum(workQueueNames),
    waiting: z.number().int().describe("Work items that are due and not taken yet."),
    scheduled: z.number().int().describe("Work items for later, with those that wait for another attempt."),
    active: z.number().int(),
    failed: z.number().int().describe("Work items whose attempts are used up: they stay until somebody retries or discards them."),
    lastFinishedAt: Timestamp.nullable().describe("When a work item last succeeded."),
    schedule: z.string().nullable().describe("Cron expression in UTC of a queue that runs by the clock."),
  })
  .meta({ id: "WorkQueue" });
export type WorkQueue = z.infer<typeof WorkQueue>;

export const FailedWorkItem = z
  .object({
    id: Id,
    queue: z.enum(workQueueNames),
    error: z.string().describe("Why the last attempt failed."),
    attempts: z.number().int(),
    createdAt: Timestamp,
    failedAt: Timestamp.nullable(),
  })
  .meta({ id: "FailedWorkItem" });
export type FailedWorkItem = z.infer<typeof FailedWorkItem>;

/** Limit of failed work items in one list, newest first. */
export const maxFailedListed = 100;

const params = z.object({ id: Id });

export const workEndpoints = {
  queues: endpoint({
    method: "GET",
    path: "/api/v1/work/queues",
    summary: "Queues of durable work, with counts of this workspace and of the product itself",
    permission: "admin",
    response: z.object({ items: z.array(WorkQueue) }),
  }),
  failed: endpoint({
    method: "GET",
    path: "/api/v1/work/failed",
    summary: `Failed work items, newest first, ${maxFailedListed} at most`,
    permission: "admin",
    response: z.object({ items: z.array(FailedWorkItem) }),
  }),
  retry: endpoint({
    method: "POST",
    path: "/api/v1/work/failed/{id}/retry",
    summary: "Give a failed work item one more attempt, at once",
    permission: "admin",
    params,
    response: Empty,
  }),
  discard: endpoint({
    method: "DELETE",
    path: "/api/v1/work/failed/{id}",
    summary: "Discard a failed work item; in an ordered queue, items with the same key go on",
    permission: "admin",
    params,
    response: Empty,
  }),
};

export const workContract = defineContract({
  reference: { name: "Durable work", description: "Queues of work that outlives requests and processes, and its failed items." },
  endpoints: workEndpoints,
  audit: { "work_item.retried": "Failed work retried", "work_item.discarded": "Failed work discarded" },
});
