import "server-only";
import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { runMessages, runs, toolCalls, turns } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";

/** The results of earlier calls of one conversation. */
export type EarlierReadsCapability = {
  /**
   * Returns the result of the newest succeeded call of this tool with the same arguments, if the model still has it word for word;
   * null without such a call.
   */
  newestResult: (toolName: string, args: Readonly<Record<string, unknown>>) => Promise<string | null>;
};

export const earlierReads = defineCapability({
  name: "earlier_reads",
  title: "What the conversation has read",
  isOfConversation: true,
  create: ({ conversationId, callId }): EarlierReadsCapability => ({
    newestResult: async (toolName, args) => {
      const wanted = JSON.stringify(args);
      const [call] = await db()
        .select({ content: toolCalls.content })
        .from(toolCalls)
        .innerJoin(turns, eq(toolCalls.turnId, turns.id))
        .where(
          and(
            eq(turns.conversationId, conversationId),
            eq(toolCalls.name, toolName),
            eq(toolCalls.status, "succeeded"),
            sql`${toolCalls.id} <> ${callId}`,
            sql`${toolCalls.arguments} = ${wanted}::jsonb`,
            await isInContext(conversationId),
          ),
        )
        .orderBy(desc(toolCalls.id))
        .limit(1);
      return call?.content ?? null;
    },
  }),
});

/** Condition for turns whose results no summary of the conversation stands for. */
async function isInContext(conversationId: string): Promise<SQL | undefined> {
  const [summary] = await db()
    .select({ until: sql<{ runId: string; position: number } | null>`${runMessages.content} -> 'summarisesUntil'` })
    .from(runMessages)
    .innerJoin(runs, eq(runs.id, runMessages.runId))
    .where(and(eq(runs.conversationId, conversationId), isNull(runs.supersededBy), eq(runMessages.role, "summary")))
    .orderBy(desc(runMessages.runId), desc(runMessages.position))
    .limit(1);
  if (!summary?.until) return undefined;
  const { runId, position } = summary.until;
  return sql`exists (select 1 from ${runMessages} where ${runMessages.turnId} = ${turns.id} and ${runMessages.role} = 'tool'
    and (${runMessages.runId}, ${runMessages.position}) >= (${runId}::uuid, ${position}::int))`;
}
