import "server-only";
import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import type { Db } from "@/db/client";
import { jobs } from "@/db/schema";
import { rememberedConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { presentFinished } from "@/server/turns/background/present-job";
import { type LiveRun, saveRun } from "../save-run";
import { jobText } from "../turn-results";

/**
 * Tells the model of background jobs that ended since its last turn, in a message of the role `note`: a model that calls nothing more
 * would never learn of them. Each job is told once, because it is marked in the same transaction.
 */
export async function tellFinishedJobs(live: LiveRun): Promise<void> {
  const { id, conversationId } = live.run;
  const conversation = await rememberedConversation(conversationId);
  if (!conversation?.hasJobs) return;
  const untold = and(eq(jobs.conversationId, conversationId), isNotNull(jobs.finishedAt), isNull(jobs.deliveredTurnId));
  const found = await db().select().from(jobs).where(untold).orderBy(jobs.id);
  if (found.length === 0) return;
  const text = found.map((job) => jobText(presentFinished(job))).join("\n\n");
  const ids = found.map((job) => job.id);
  const mark = async (tx: Db) => {
    const told = await tx
      .update(jobs)
      .set({ deliveredTurnId: id })
      .where(and(untold, inArray(jobs.id, ids)))
      .returning({ id: jobs.id });
    if (told.length < ids.length) throw new ToldElsewhere();
  };
  await saveRun(live, {}, [{ role: "note", content: { text } }], mark).catch((error) => {
    // A turn of another runtime told of one at the same moment; the others come before the next request.
    if (!(error instanceof ToldElsewhere)) throw error;
  });
}

class ToldElsewhere extends Error {}
