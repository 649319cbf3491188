import "server-only";
import { eq } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { onSignal } from "@/server/platform/signals/bus";
import { restsWithin } from "../read/wait-for-turn";
import type { JobRow } from "./start-in-background";

/** Seconds between reads of the row when no signal comes. */
const lookSeconds = 2;

export const hasEnded = ({ status }: Pick<JobRow, "status">): boolean => status !== "pending" && status !== "running";

/** Waits at most `seconds` until a job has ended. @returns undefined when the job was deleted with its conversation */
export async function waitForJob(jobId: string, seconds: number, signal: AbortSignal): Promise<JobRow | undefined> {
  const deadline = performance.now() + seconds * 1_000;
  let wake = () => {};
  const off = onSignal("job", (received) => {
    if (received.jobId === jobId) wake();
  });
  try {
    while (true) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const [job] = await db().select().from(jobs).where(eq(jobs.id, jobId));
      const leftSeconds = (deadline - performance.now()) / 1_000;
      if (!job || hasEnded(job) || leftSeconds <= 0 || signal.aborted) return job;
      await restsWithin(news, Math.min(leftSeconds, lookSeconds), signal);
    }
  } finally {
    off();
  }
}
