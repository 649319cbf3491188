import "server-only";
import { and, asc, eq, gt, or } from "drizzle-orm";
import { jobs } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { sharedNow } from "@/server/platform/database/shared-clock";
import { signalFeed } from "@/server/platform/signals/signal-feed";
import { presentJob } from "./present-job";
import { hasEnded } from "./wait-for-job";

const idleMs = 5_000;

/** Streams starts and ends of a conversation's jobs from now on. After a lost signal the event comes within `idleMs`. */
export async function* jobFeed(conversationId: string, signal: AbortSignal) {
  const feed = signalFeed("job", { signal, idleMs, filter: (received) => received.conversationId === conversationId });
  const since = sharedNow();
  const told = new Map<string, "started" | "finished">();
  const iterator = feed[Symbol.asyncIterator]();
  do {
    const rows = await db()
      .select()
      .from(jobs)
      .where(and(eq(jobs.conversationId, conversationId), or(gt(jobs.createdAt, since), gt(jobs.finishedAt, since))))
      .orderBy(asc(jobs.id));
    for (const job of rows) {
      const now = hasEnded(job) ? "finished" : "started";
      if (told.get(job.id) === now) continue;
      told.set(job.id, now);
      yield { event: `job.${now}`, data: presentJob(job) };
    }
  } while (!(await iterator.next()).done);
}
