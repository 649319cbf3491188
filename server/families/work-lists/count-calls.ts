import "server-only";
import { and, eq, gt, notInArray, sql } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { builtinTools } from "@/server/tools/builtin-tools";

const uncountedFamilies: readonly string[] = ["disclosure", "work-lists", "docs", "questions", "pipelines"];

/**
 * Counts the successful calls of a conversation after one call. Tools that work on nothing but notes, the listing
 * and the person before it do not count, nor do tasks for a pipeline. The rows are the truth, so a crash between a call and a count loses no step.
 */
export async function countCallsAfter(conversationId: string, callId: string): Promise<number> {
  const uncounted = builtinTools().flatMap(({ name, family }) => (uncountedFamilies.includes(family) ? [name] : []));
  const [found] = await db()
    .select({ calls: sql<number>`count(*)`.mapWith(Number) })
    .from(turns)
    .innerJoin(toolCalls, eq(toolCalls.turnId, turns.id))
    .where(
      and(
        eq(turns.conversationId, conversationId),
        gt(toolCalls.id, callId),
        eq(toolCalls.status, "succeeded"),
        eq(toolCalls.isError, false),
        uncounted.length > 0 ? notInArray(toolCalls.name, uncounted) : undefined,
      ),
    );
  return found?.calls ?? 0;
}
