import "server-only";
import { and, eq } from "drizzle-orm";
import { conversations, jobs } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { maySee } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { JobRow } from "./start-in-background";

/** Returns a job that the actor may see. @throws AppError `not_found`. */
export async function findJob(actor: Actor, jobId: string): Promise<JobRow> {
  const [row] = await db()
    .select({ job: jobs, agentId: conversations.agentId })
    .from(jobs)
    .innerJoin(conversations, eq(jobs.conversationId, conversations.id))
    .where(and(eq(jobs.id, jobId), eq(jobs.workspaceId, actor.workspaceId)));
  if (!row || !maySee(actor, row)) throw new AppError("not_found", "This job does not exist, or belongs to another agent's conversation.");
  return row.job;
}
