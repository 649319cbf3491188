import "server-only";
import type { Job } from "@/contracts/calls/jobs";
import type { Authorized } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { findJob } from "./find-job";
import { presentJob } from "./present-job";
import { waitForJob } from "./wait-for-job";

/** Returns a job once it has ended or `waitSeconds` have passed. */
export async function getJob(actor: Authorized<"turns:read">, jobId: string, waitSeconds: number, signal: AbortSignal): Promise<Job> {
  const found = await findJob(actor, jobId);
  const job = waitSeconds > 0 ? await waitForJob(jobId, waitSeconds, signal) : found;
  if (!job) throw new AppError("not_found", "This job was deleted with its conversation.");
  return presentJob(job);
}
