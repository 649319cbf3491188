import type { Db } from "@/db/client";
import { processWide } from "./process-wide";

/** Jobs that rooms may ask for. `jobs/` carries them out; nobody else knows with what. */
export type JobName = "run_job" | "expire_approval" | "deliver_webhooks";
export type JobData = {
  /** A background job, which is a call of a turn; not what is meant by job here. */
  run_job: { jobId: string };
  expire_approval: { approvalId: string };
  deliver_webhooks: Record<string, never>;
};

export type Queue = {
  /** Adds a job inside the caller's transaction: it exists if and only if the transaction commits. */
  send<Name extends JobName>(tx: Db, name: Name, data: JobData[Name], options?: { startAfter?: Date }): Promise<void>;
};

const holder = () => processWide<{ queue: Queue | null }>("queue", () => ({ queue: null }));

export function provideQueue(queue: Queue | null): void {
  holder().queue = queue;
}

/** Whether jobs can be sent now. */
export const hasQueue = (): boolean => holder().queue !== null;

export function queue(): Queue {
  const { queue } = holder();
  if (!queue) throw new Error("The job queue is not running");
  return queue;
}
