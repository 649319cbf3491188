import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit";
import type { JobStatus } from "@/contracts/jobs";
import type { Db } from "@/db/client";
import { artifacts, jobs } from "@/db/schema";
import { maskInText } from "@/server/audit/mask-secrets";
import { record } from "@/server/audit/record";
import { signalOnCommit } from "@/server/platform/bus";
import { db } from "@/server/platform/database";
import { bootId } from "@/server/platform/ids";
import { shutdownSignal } from "@/server/platform/shutdown";
import { isDatabaseAway } from "@/server/platform/sql-state";
import { queueDeliveries } from "@/server/webhooks/queue-deliveries";
import { type BoundResult, boundResult } from "../bound-result";
import type { Outcome } from "../outcome";
import { presentJob } from "./present-job";
import type { JobRow } from "./start-in-background";

export type EndedStatus = Exclude<JobStatus, "pending" | "running">;

const auditEvent: Record<EndedStatus, AuditEventName> = {
  succeeded: "job.succeeded",
  failed: "job.failed",
  timed_out: "job.timed_out",
  cancelled: "job.cancelled",
  interrupted: "job.interrupted",
};

/** Statuses of an outcome that a job can have; what policy refuses when the job starts is a failure of the job. */
function statusOf({ status }: Outcome): EndedStatus {
  return status === "denied" || status === "rejected" || status === "expired" ? "failed" : status;
}

/** Stores how a job ended that this replica runs. Waits while the database is away: what happened must not be lost. */
export async function finishJob(jobId: string, outcome: Outcome): Promise<void> {
  for (let pauseMs = 200; ; pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      const [job] = await db().select().from(jobs).where(eq(jobs.id, jobId));
      if (!job) return;
      const { workspaceId, conversationId, callId, toolName } = job;
      const result = await boundResult({ workspaceId, conversationId, callId, toolName }, outcome);
      await db().transaction((tx) => endJob(tx, job, statusOf(outcome), result));
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || shutdownSignal().aborted) throw error;
      await pause(pauseMs);
    }
  }
}

/** running → an end, by one conditional update; with its audit row, its webhooks and a signal to who waits. */
export async function endJob(
  tx: Db,
  { id, claimedBy }: Pick<JobRow, "id" | "claimedBy">,
  status: EndedStatus,
  result: BoundResult,
): Promise<boolean> {
  const finishedAt = new Date();
  const [job] = await tx
    .update(jobs)
    .set({
      status,
      content: result.content,
      contentParts: result.parts,
      structuredContent: result.structuredContent,
      truncated: result.truncated,
      progress: "",
      claimedBy: null,
      sealedArguments: null,
      finishedAt,
    })
    .where(and(eq(jobs.id, id), eq(jobs.status, "running"), eq(jobs.claimedBy, claimedBy ?? bootId())))
    .returning();
  if (!job) return false;
  const durationMs = finishedAt.getTime() - (job.startedAt ?? finishedAt).getTime();
  await tx.update(jobs).set({ durationMs }).where(eq(jobs.id, id));
  if (result.artifacts.length > 0) await tx.insert(artifacts).values(result.artifacts);
  await announceEnd(tx, { ...job, durationMs });
  return true;
}

/** Tells the audit, webhooks and whoever waits that a job has ended. */
export async function announceEnd(tx: Db, job: JobRow): Promise<void> {
  if (job.status === "pending" || job.status === "running") throw new Error(`job ${job.id} has not ended`);
  const { workspaceId, conversationId, turnId, callId } = job;
  await record(tx, {
    workspaceId,
    event: auditEvent[job.status],
    actor: job.requestedBy,
    subject: job.id,
    tool: job.toolName,
    verdict: job.decision.verdict,
    conversationId,
    turnId,
    callId,
    data: {
      arguments: job.arguments,
      durationMs: job.durationMs,
      resultChars: job.content.length,
      // Masked before it is cut: a piece of a secret does not look like one.
      resultStart: maskInText(job.content.slice(0, 1_000)).slice(0, 200),
    },
  });
  await queueDeliveries(tx, [{ workspaceId, event: "job.finished", turnId, payload: { job: presentJob(job) } }]);
  await signalOnCommit(tx, { topic: "job", jobId: job.id, conversationId });
}
