import "server-only";
import { eq } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { onSignal } from "@/server/platform/signals/bus";
import type { DurableWait } from "../waits/durable-wait";
import { hasEnded } from "./wait-for-job";

/** Waits of calls for the end of a background job. The result is the job's status. */
export const jobWait: DurableWait = {
  kind: "job",
  look: async (jobId) => {
    const [job] = await db().select({ status: jobs.status }).from(jobs).where(eq(jobs.id, jobId));
    if (!job) throw new AppError("not_found", "This job was removed with its conversation.");
    return hasEnded(job) ? job.status : null;
  },
  onNews: (jobId, wake) =>
    onSignal("job", (signal) => {
      if (signal.jobId === jobId) wake();
    }),
};
