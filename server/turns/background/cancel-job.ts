import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { Job } from "@/contracts/calls/jobs";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { jobs } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { signalOnCommit } from "@/server/platform/signals/bus";
import { sentences } from "../outcome";
import { findJob } from "./find-job";
import { announceEnd } from "./finish-job";
import { getJob } from "./get-job";
import type { JobRow } from "./start-in-background";

/** Seconds that the response to a cancellation waits for the tool to stop. */
const stopSeconds = 5;

/** Stops a background job; an ended job stays as it is. */
export async function cancelJob(actor: Authorized<"turns:write">, jobId: string, signal: AbortSignal): Promise<Job> {
  await stopJob(await findJob(actor, jobId), toActorRef(actor));
  return getJob(actor as Authorized<"turns:write"> & Authorized<"turns:read">, jobId, stopSeconds, signal);
}

/** Ends a pending job, or asks the replica of a running job to stop it. */
export async function stopJob({ id }: Pick<JobRow, "id">, by: ActorRef): Promise<void> {
  await db().transaction(async (tx) => {
    const now = sharedNow();
    const [ended] = await tx
      .update(jobs)
      .set({
        status: "cancelled",
        content: sentences.cancelled(`The job (by ${by.name})`),
        cancelRequestedAt: now,
        sealedArguments: null,
        finishedAt: now,
      })
      .where(and(eq(jobs.id, id), eq(jobs.status, "pending")))
      .returning();
    if (ended) return announceEnd(tx, ended);
    const [asked] = await tx
      .update(jobs)
      .set({ cancelRequestedAt: now })
      .where(and(eq(jobs.id, id), eq(jobs.status, "running")))
      .returning();
    if (asked) await signalOnCommit(tx, { topic: "job", jobId: id, conversationId: asked.conversationId, cancel: true });
  });
}

/** Ends the jobs of a conversation in the transaction that deletes the conversation; running jobs are stopped on commit. */
export async function endConversationJobs(tx: Db, conversationId: string, by: ActorRef): Promise<void> {
  const now = sharedNow();
  const ended = await tx
    .update(jobs)
    .set({
      status: "cancelled",
      content: sentences.cancelled(`The job (by ${by.name})`),
      claimedBy: null,
      cancelRequestedAt: now,
      sealedArguments: null,
      finishedAt: now,
    })
    .where(and(eq(jobs.conversationId, conversationId), inArray(jobs.status, ["pending", "running"])))
    .returning();
  for (const job of ended) {
    await announceEnd(tx, job);
    await signalOnCommit(tx, { topic: "job", jobId: job.id, conversationId, cancel: true });
  }
}
