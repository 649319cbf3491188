import { families } from "@/server/families";
import { coreQueues } from "@/server/jobs/core-queues";
import type { Queue } from "@/server/platform/queue";

/** All queues of the product, including those of families. */
export const queues: readonly Queue[] = [...families.flatMap(({ queues = [] }) => queues.map(({ queue }) => queue)), ...coreQueues];
