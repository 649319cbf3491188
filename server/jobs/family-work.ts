import type { HandledQueue } from "./run-queue";

/** Durable work of the families, which the core does not name. */
export type FamilyWork = {
  queues: readonly HandledQueue[];
  /** Remove rows that are too old to be kept; run every few minutes by one replica. */
  removeOldRows: readonly (() => Promise<void>)[];
  /** Queue due rows whose work item was lost; run every minute by one replica. */
  findLostWork: readonly (() => Promise<void>)[];
};
