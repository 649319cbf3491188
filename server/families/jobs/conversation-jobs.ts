import "server-only";
import { and, desc, eq } from "drizzle-orm";
import { z } from "zod";
import type { ActorRef } from "@/contracts/common";
import { jobs as table } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { stopJob } from "@/server/turns/background/cancel-job";
import { readResultPage } from "@/server/turns/background/read-result-page";
import type { JobRow } from "@/server/turns/background/start-in-background";
import { hasEnded } from "@/server/turns/background/wait-for-job";

const listedAtMost = 50;

/** The background jobs of one conversation, described in sentences for the model. */
export type JobsCapability = {
  list: () => Promise<string>;
  /** Returns lines of a job's result, or its progress. `offset` counts lines from 0; `column`, in the first line, from 1. */
  read: (jobId: string, page: { offset: number; column: number; lines: number }) => Promise<string>;
  /** Returns the id of a job of the conversation, as a wait names it. */
  idOf: (jobId: string) => Promise<string>;
  /** Returns the result of a job that has ended, else its progress, as the end of a wait. */
  told: (jobId: string) => Promise<string>;
  stop: (jobId: string) => Promise<string>;
};

export const jobs = defineCapability({
  name: "jobs",
  title: "Background jobs of the conversation",
  isOfConversation: true,
  create: ({ conversationId, actor }) => jobsOf({ id: conversationId }, actor),
});

function jobsOf(conversation: { id: string }, actor: ActorRef): JobsCapability {
  const find = async (jobId: string, noun: "Job" | "Task" = "Job"): Promise<JobRow> => {
    const id = z.uuid().safeParse(jobId.trim());
    const [job] = id.success
      ? await db()
          .select()
          .from(table)
          .where(and(eq(table.id, id.data), eq(table.conversationId, conversation.id)))
      : [];
    if (!job) throw new AppError("not_found", `${noun} not found: ${jobId}. The tool jobs lists those of this conversation.`);
    return job;
  };
  return {
    list: async () => {
      const rows = await db()
        .select()
        .from(table)
        .where(eq(table.conversationId, conversation.id))
        .orderBy(desc(table.id))
        .limit(listedAtMost);
      return rows.length === 0 ? "No running jobs." : rows.map(lineOf).join("\n");
    },
    read: async (jobId, page) => {
      const job = await find(jobId);
      return hasEnded(job) ? `## Job ${job.id} Output\n${lineOf(job)}\n${await readResultPage(job, page)}` : stillRunning(job);
    },
    idOf: async (jobId) => (await find(jobId)).id,
    told: async (jobId) => {
      const job = await find(jobId);
      return `## ${job.id} - ${endWord(job)}\n${hasEnded(job) ? `${lineOf(job)}\n${job.content}` : stillRunning(job)}`;
    },
    stop: async (jobId) => {
      const job = await find(jobId, "Task");
      if (hasEnded(job)) return `Task ${job.id} is already done: ${job.status}.`;
      await stopJob(job, actor);
      return `Cancelled tool: ${job.toolName} (${job.id}).`;
    },
  };
}

function lineOf(job: JobRow): string {
  return `${job.id} ${job.toolName}: ${job.status}${job.progress ? ` (${job.progress})` : ""}`;
}

/** The word that models know for how a wait ended; `TIMEOUT` also when the time of the wait is up. */
function endWord({ status }: Pick<JobRow, "status">): "DONE" | "ERROR" | "CANCELLED" | "TIMEOUT" {
  switch (status) {
    case "succeeded":
      return "DONE";
    case "failed":
    case "interrupted":
      return "ERROR";
    case "cancelled":
      return "CANCELLED";
    case "timed_out":
    case "pending":
    case "running":
      return "TIMEOUT";
  }
}

function stillRunning(job: JobRow): string {
  return `[Job ${job.id} is still running: ${job.progress || job.status}]\nIts result comes by itself with one of your next turns.`;
}
