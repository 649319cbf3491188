import { z } from "zod";
import { defineQueue } from "@/server/platform/queue";

const input = z.object({});
const retry = { attempts: 3, firstDelaySeconds: 10, maxDelaySeconds: 60 };
/** One run at a time is enough, because the next run finds what the last one left. */
const scheduled = { input, retry, concurrency: 1 };

export const oldRowsQueue = defineQueue({
  name: "remove_old_rows",
  title: "Removal of old rows",
  description: "Every 5 minutes: deliveries after 30 days, hook runs after 14 days, finished work items",
  ...scheduled,
  schedule: "*/5 * * * *",
});

export const partitionsQueue = defineQueue({
  name: "ensure_audit_partitions",
  title: "Audit tables",
  description: "Every hour: tables for the audit of the next months",
  ...scheduled,
  schedule: "17 * * * *",
});

/** Safety net of the queues: finds due rows of the product whose work item was lost. */
export const lostWorkQueue = defineQueue({
  name: "find_lost_work",
  title: "Search for lost work",
  description: "Every minute: overdue approvals and deliveries that have no work item",
  ...scheduled,
  schedule: "* * * * *",
});
