import "server-only";
import { and, eq } from "drizzle-orm";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { JobStatus } from "@/contracts/calls/jobs";
import type { Db } from "@/db/client";
import { artifacts, jobs } from "@/db/schema";
import { recordLater } from "@/server/audit/audit-backlog";
import { record } from "@/server/audit/record";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { isDatabaseAway, isWriteRefused } from "@/server/platform/database/sql-state";
import { publishEvents } from "@/server/platform/extension-points/outbox";
import { bootId } from "@/server/platform/ids";
import { retry } from "@/server/platform/retry";
import { shutdownSignal } from "@/server/platform/shutdown";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { maskInText } from "@/server/secrets/mask-secrets";
import { type BoundResult, boundResult } from "../bound-result";
import { loadCallFacts } from "../call-facts";
import type { ReachedHosts } from "../execute/host-collector";
import type { CallFacts } from "../live-turn";
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

/** Converts an outcome's status to a job's. A job that policy refuses when it starts counts as failed. */
function statusOf({ status }: Outcome): EndedStatus {
  return status === "denied" || status === "rejected" || status === "expired" ? "failed" : status;
}

/** Stores the end of a job that this replica runs. Waits while the database is away, because the outcome must not be lost. */
export async function finishJob(jobId: string, outcome: Outcome): Promise<void> {
  let isAuditRefused = false;
  const write = async () => {
    const [job] = await db().select().from(jobs).where(eq(jobs.id, jobId));
    if (!job) return;
    const { workspaceId, conversationId, callId, toolName } = job;
    const facts = await loadCallFacts(job);
    const result = await boundResult({ workspaceId, conversationId, callId, toolName }, outcome);
    await db().transaction((tx) => endJob(tx, job, statusOf(outcome), result, { network: outcome.network, isAuditRefused, facts }));
  };
  const mayRecover = (error: Error) => {
    const isRefused = isWriteRefused(error);
    // The outcome is known, so when the audit refuses the row, the next attempt writes the row to the backlog.
    isAuditRefused = isRefused && !isAuditRefused;
    return (isRefused || isDatabaseAway(error)) && !shutdownSignal().aborted;
  };
  await retry(write, { firstPauseMs: 200, maxPauseMs: 2_000, mayRecover });
}

type EndDetails = {
  facts?: CallFacts | null;
  network?: ReachedHosts | undefined;
  /** Whether the audit refused the row, which then goes to the backlog. */
  isAuditRefused?: boolean;
};

/**
 * Ends a running job by one conditional update, with its audit row, event and signal.
 * @returns false when this owner no longer runs the job
 */
export async function endJob(
  tx: Db,
  { id, claimedBy }: Pick<JobRow, "id" | "claimedBy">,
  status: EndedStatus,
  result: BoundResult,
  more: EndDetails = {},
): Promise<boolean> {
  const finishedAt = sharedNow();
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
  await announceEnd(tx, { ...job, durationMs }, more);
  return true;
}

/** Announces an ended job to the audit, to subscribers and to waiting callers. */
export async function announceEnd(tx: Db, job: JobRow, { network, isAuditRefused = false, facts }: EndDetails = {}): Promise<void> {
  if (job.status === "pending" || job.status === "running") throw new Error(`job ${job.id} has not ended`);
  const { workspaceId, conversationId, turnId, callId } = job;
  await (isAuditRefused ? recordLater : record)(tx, {
    workspaceId,
    event: auditEvent[job.status],
    actor: job.requestedBy,
    subject: job.id,
    tool: job.toolName,
    agent: facts?.agent ?? null,
    source: facts?.sourceOf(job.toolName) ?? null,
    verdict: job.decision.verdict,
    conversationId,
    turnId,
    callId,
    data: {
      arguments: job.arguments,
      durationMs: job.durationMs,
      resultChars: job.content.length,
      // Masked before the cut, because a part of a secret is not recognised.
      resultStart: maskInText(job.content.slice(0, 1_000)).slice(0, 200),
      ...(network ? { network } : {}),
    },
  });
  await publishEvents(tx, [{ workspaceId, event: "job.finished", turnId, payload: { job: presentJob(job) } }]);
  await signalOnCommit(tx, { topic: "job", jobId: job.id, conversationId });
}
