import "server-only";
import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { ActorRef } from "@/contracts/common";
import { jobs } from "@/db/schema";
import type { JobsCapability } from "@/server/capabilities/capabilities";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { stopJob } from "./cancel-job";
import { readResultPage } from "./read-result-page";
import type { JobRow } from "./start-in-background";
import { hasEnded, waitForJob } from "./wait-for-job";

const listedAtMost = 50;

/** The background jobs of one conversation, as its tools may look after them. */
export function jobsOf(conversation: { id: string }, actor: ActorRef): JobsCapability {
  const find = async (jobId: string): Promise<JobRow> => {
    const id = z.uuid().safeParse(jobId.trim());
    const [job] = id.success
      ? await db()
          .select()
          .from(jobs)
          .where(and(eq(jobs.id, id.data), eq(jobs.conversationId, conversation.id)))
      : [];
    if (!job) throw new AppError("not_found", `There is no job ${jobId} in this conversation. The tool jobs lists them.`);
    return job;
  };
  return {
    list: async () => {
      const rows = await db()
        .select()
        .from(jobs)
        .where(eq(jobs.conversationId, conversation.id))
        .orderBy(desc(jobs.id))
        .limit(listedAtMost);
      return rows.length === 0 ? "No background jobs in this conversation." : rows.map(lineOf).join("\n");
    },
    read: async (jobId, page) => {
      const job = await find(jobId);
      return hasEnded(job) ? `${lineOf(job)}\n${await readResultPage(job, page)}` : stillRunning(job);
    },
    wait: async (jobId, { seconds, signal }) => {
      const found = await find(jobId);
      const job = (await waitForJob(found.id, seconds, signal)) ?? found;
      return hasEnded(job) ? `${lineOf(job)}\n${job.content}` : stillRunning(job);
    },
    stop: async (jobId) => {
      const job = await find(jobId);
      if (hasEnded(job)) return `Job ${job.id} has ended already: ${job.status}.`;
      await stopJob(job, actor);
      return `Job ${job.id} (${job.toolName}) was asked to stop.`;
    },
  };
}

function lineOf(job: JobRow): string {
  return `${job.id} ${job.toolName}: ${job.status}${job.progress ? ` (${job.progress})` : ""}`;
}

function stillRunning(job: JobRow): string {
  return `${lineOf(job)}\nNot finished yet. Its result comes by itself with one of your next turns.`;
}
