import "server-only";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema";
import { sendBack } from "@/server/platform/extension-points/ordered-results";
import type { EndedRun } from "@/server/platform/extension-points/run-ends";

/** Brings the answer of a schedule's run to the conversation in which the schedule was made, in the transaction of the run's end. */
export async function sendBackScheduled(tx: Db, { id, conversationId, status, answer, error }: EndedRun): Promise<void> {
  const [found] = await tx
    .select({ name: schedules.name, orderedIn: schedules.conversationId })
    .from(scheduleRuns)
    .innerJoin(schedules, eq(schedules.id, scheduleRuns.scheduleId))
    .where(eq(scheduleRuns.conversationId, conversationId));
  if (!found) return;
  const text = status === "succeeded" ? (answer ?? "") : [answer, `⚠️ ${error ?? `The run was ${status}.`}`].filter(Boolean).join("\n\n");
  await sendBack(tx, { orderedIn: found.orderedIn, key: `run:${id}`, title: found.name, text });
}
