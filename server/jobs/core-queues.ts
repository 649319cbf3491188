import { escalationQueue, expiryQueue } from "@/server/approvals/approval-queues";
import type { Queue } from "@/server/platform/queue";
import { jobQueue } from "@/server/turns/background/job-queue";
import { lostWorkQueue, oldRowsQueue, partitionsQueue } from "./schedules";

/** Durable work of the core, except turns, because turns keep a journal of their own. */
export const coreQueues = [
  expiryQueue,
  escalationQueue,
  jobQueue,
  oldRowsQueue,
  partitionsQueue,
  lostWorkQueue,
] as unknown as readonly Queue[];
