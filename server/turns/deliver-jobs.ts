import "server-only";
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { FinishedJob } from "@/contracts/calls/jobs";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { presentFinished } from "./background/present-job";

/** Returns the results of a conversation's jobs that no turn has delivered, and marks them as delivered with this turn. */
export async function deliverJobs(conversationId: string, turnId: string): Promise<FinishedJob[]> {
  const rows = await db()
    .update(jobs)
    .set({ deliveredTurnId: turnId })
    .where(and(eq(jobs.conversationId, conversationId), isNotNull(jobs.finishedAt), isNull(jobs.deliveredTurnId)))
    .returning();
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(presentFinished);
}

/** Returns the job results that were delivered with a turn. */
export async function jobsDeliveredWith(conversationId: string, turnId: string): Promise<FinishedJob[]> {
  const rows = await db()
    .select()
    .from(jobs)
    .where(and(eq(jobs.conversationId, conversationId), eq(jobs.deliveredTurnId, turnId)))
    .orderBy(asc(jobs.id));
  return rows.map(presentFinished);
}
