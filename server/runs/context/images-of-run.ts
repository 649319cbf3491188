import "server-only";
import { and, asc, eq } from "drizzle-orm";
import { runMessages, runs } from "@/db/schema";
import { db } from "@/server/platform/database/database";

/** Returns the artifact ids of the images in a run's messages, in order: those that a person sent come first. */
export async function imagesOfRun(conversationId: string, runId: string): Promise<string[]> {
  const rows = await db()
    .select({ content: runMessages.content })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .where(and(eq(runs.conversationId, conversationId), eq(runs.id, runId)))
    .orderBy(asc(runMessages.position));
  return rows.flatMap(({ content }) => (content.images ?? []).map(({ artifactId }) => artifactId));
}
