import "server-only";
import { and, eq, lt } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { bootId } from "@/server/platform/ids";
import { enqueue } from "@/server/platform/queue";
import { loadCatalog } from "@/server/tools/catalog";
import { boundResult } from "../bound-result";
import { sentences } from "../outcome";
import { endJob } from "./finish-job";
import { jobQueue } from "./job-queue";
import { isRunningHere } from "./running-jobs";
import type { JobRow } from "./start-in-background";

/** Age at which a pending job is queued again, because its queue entry may be lost. */
const forgottenAfterMs = 60_000;

/** Recovers jobs that no replica runs. Like a call, a job runs again only when repeating it does no harm. */
export async function recoverJobs(isAlive: (replica: string) => Promise<boolean>): Promise<void> {
  const running = await db().select().from(jobs).where(eq(jobs.status, "running"));
  for (const job of running) {
    const isOrphan =
      job.claimedBy === bootId() ? !isRunningHere(job.id) && isOld(job.updatedAt, 5_000) : !(await isAlive(job.claimedBy ?? ""));
    if (isOrphan) await recoverJob(job);
  }
  const forgotten = await db()
    .select({ id: jobs.id, workspaceId: jobs.workspaceId })
    .from(jobs)
    .where(and(eq(jobs.status, "pending"), lt(jobs.updatedAt, new Date(sharedNowMs() - forgottenAfterMs))));
  for (const { id, workspaceId } of forgotten) {
    await db().transaction((tx) => enqueue(tx, jobQueue, [{ workspaceId, input: { jobId: id } }]));
  }
}

const isOld = (moment: Date, afterMs: number) => moment.getTime() < sharedNowMs() - afterMs;

async function recoverJob(job: JobRow): Promise<void> {
  const { workspaceId, conversationId, callId, toolName } = job;
  const tool = (await loadCatalog(workspaceId)).find(toolName);
  const mayRunAgain = !job.promoted && !job.cancelRequestedAt && tool !== undefined && (tool.effect === "read" || tool.idempotent);
  const owner = { workspaceId, conversationId, callId, toolName };
  const interrupted = await boundResult(owner, { callId, status: "interrupted", text: sentences.interrupted(toolName) });
  await db().transaction(async (tx) => {
    if (!mayRunAgain) {
      await endJob(tx, job, job.cancelRequestedAt ? "cancelled" : "interrupted", interrupted);
      return;
    }
    const reset = await tx
      .update(jobs)
      .set({ status: "pending", claimedBy: null, startedAt: null })
      .where(and(eq(jobs.id, job.id), eq(jobs.status, "running"), eq(jobs.claimedBy, job.claimedBy ?? "")))
      .returning({ id: jobs.id });
    if (reset.length > 0) await enqueue(tx, jobQueue, [{ workspaceId, input: { jobId: job.id } }]);
  });
}
