import { processWide } from "@/server/platform/process-wide";
import { onSignal } from "@/server/platform/signals/bus";

type RunningJob = { stop: AbortController; work: Promise<unknown> };

const running = () =>
  processWide("runningJobs", () => {
    const jobs = new Map<string, RunningJob>();
    onSignal("job", ({ jobId, cancel }) => {
      if (cancel) jobs.get(jobId)?.stop.abort();
    });
    return jobs;
  });

export const isRunningHere = (jobId: string): boolean => running().has(jobId);

/** Registers a job that this replica runs, until its work ends. */
export function enterJob(jobId: string, job: RunningJob): void {
  running().set(jobId, job);
  const leave = () => running().delete(jobId);
  job.work.then(leave, leave);
}

/** Waits until this process runs no background job. */
export async function jobsAtRest(): Promise<void> {
  while (running().size > 0) await Promise.allSettled([...running().values()].map(({ work }) => work));
}
